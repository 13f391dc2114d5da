// SPDX-License-Identifier: Apache-2.0
/// The parameters of a simulated I/O subsystem; the defaults are JUGENE's (chapter 5 of the dissertation).
#pragma once

#include <cstdint>

namespace fathom::simulate {

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB, TiB = 1024 * GiB;
inline constexpr std::uint64_t Gbit = 1'000'000'000 / 8;

/// Which links of the tree between compute nodes and I/O node are modelled.
enum class TreeShape : std::uint64_t {
  root,    // those that end at the I/O node; the links further out carry parts of the same traffic
  binary,  // all of them
};

/// When a burst buffer sends what it holds.
enum class Drain : std::uint64_t {
  immediate,  // whenever the external link is free
  idle,       // while its I/O node has no request without an answer, or a write finds no room
  threshold,  // as idle, and from a filling level on until it is empty
};

/// Bandwidths in bytes per second and direction, sizes in bytes. Every member is a number, so that one table can name them all.
struct Architecture {
  std::uint64_t in_flight = 1;
  std::uint64_t tree_bandwidth = 850 * MiB;
  std::uint64_t root_links = 2;
  std::uint64_t tree_shape = static_cast<std::uint64_t>(TreeShape::root);
  std::uint64_t ciod_buffer = 4 * MiB;
  std::uint64_t page_pool = 1024 * MiB;
  std::uint64_t burst_buffer = 0;  // 0: none
  std::uint64_t burst_buffer_bandwidth = 850 * MiB;
  std::uint64_t burst_buffer_shared_by = 1;
  std::uint64_t drain = static_cast<std::uint64_t>(Drain::immediate);
  std::uint64_t drain_threshold = 70;  // percent
  std::uint64_t prefetch = 0;          // 0: none
  std::uint64_t read_hits = 0;         // percent
  std::uint64_t external_bandwidth = 10 * Gbit;
  std::uint64_t disk_bandwidth = 66 * GiB;
  std::uint64_t object_servers = 0;  // 0: their links take no time
  std::uint64_t object_server_bandwidth = 1 * GiB;
  std::uint64_t targets = 0;  // 0: disks take no time
  std::uint64_t target_bandwidth = 180 * MiB;
  std::uint64_t stripe_count = 4;
  std::uint64_t stripe_size = 1 * MiB;

  bool operator==(const Architecture&) const = default;
};

}  // namespace fathom::simulate
