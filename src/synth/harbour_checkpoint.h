// SPDX-License-Identifier: Apache-2.0
/// The checkpoint writer of the preset `harbour`, call by call: what its ranks do, and what of it reaches the OSTs, and when.
///
/// All ranks read one input file at the start. Then, every four minutes, all of them write into one shared file at once: 47,008 bytes to a
/// call, the blocks of a round side by side in order of ranks, and neighbouring ranks on different nodes. So every block shares its first
/// and last page with another node: locks go to and fro, nothing can be put together, each call becomes a request (two where it crosses a
/// stripe) of whole pages, and pages on borders are written twice. Requests leave the nodes a little after their call and then wait for the
/// OST, which does 55 MB/s of such.
#pragma once

#include <functional>

#include "synth/harbour_plan.h"

namespace fathom::quayside {

inline constexpr std::uint32_t ranks = 32;
inline constexpr std::uint32_t ranks_per_node = 8;  // rank r runs on node r % 4 of the job
inline constexpr std::uint64_t call_bytes = 47'008;
inline constexpr std::uint32_t calls_per_checkpoint = 2048;  // of each rank
inline constexpr std::uint64_t page = 4096;
inline constexpr std::uint64_t stripe_size = mib;
inline constexpr std::uint32_t stripe_count = 2;
inline constexpr std::uint64_t input_bytes = 64 * mib;  // which every rank reads as a whole

enum class ClientFile : std::uint8_t { input, checkpoint_a, checkpoint_b };
enum class ClientKind : std::uint8_t { open, read, write, close };

/// A call of one rank; nanoseconds since the Unix epoch.
struct ClientCall {
  std::uint32_t rank = 0;
  ClientKind kind{};
  ClientFile file{};
  std::int64_t start = 0, end = 0;
  std::uint64_t offset = 0, bytes = 0;
};

/// What really happened in a run, on both sides.
struct RunTruth {
  std::uint64_t calls = 0;  // that read or write
  std::uint64_t client_read = 0, client_write = 0;
  std::uint64_t server_read = 0, server_write = 0;
  std::uint64_t server_requests = 0;
  /// Seconds from the middle of all written bytes on the clients to that on the servers.
  double delay = 0;
};

/// The OST of a stripe of a file of the run.
std::uint32_t ost_of(const PlannedJob& job, ClientFile file, std::uint64_t stripe);

/// Plays a run. Calls of each rank come in order; `watch` may be empty.
RunTruth play(const PlannedJob& job, std::uint32_t number, Traffic& traffic, const std::function<void(const ClientCall&)>& watch);

}  // namespace fathom::quayside
