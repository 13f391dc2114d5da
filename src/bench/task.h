// SPDX-License-Identifier: Apache-2.0
/// One task of the micro-benchmark: open, write, close; open, read back and compare, close; every call with its times.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/file_access.h"
#include "bench/parameters.h"

namespace fathom {

enum class BenchPhase : std::uint8_t { write, read };
enum class BenchCall : std::uint8_t { open, write, sync, close, read };

inline constexpr std::array<std::string_view, 2> bench_phase_words = {"write", "read"};
inline constexpr std::array<std::string_view, 5> bench_call_words = {"open", "write", "sync", "close", "read"};

/// Plain bytes: tasks send them to each other as they are.
struct TimedCall {
  BenchPhase phase = BenchPhase::write;
  BenchCall call = BenchCall::open;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::int64_t start = 0;  // CLOCK_REALTIME, nanoseconds
  std::int64_t end = 0;
  std::int64_t duration = 0;  // CLOCK_MONOTONIC, nanoseconds: right even when the clock was set in between
};

struct TaskOutcome {
  std::uint64_t task = 0;
  std::vector<TimedCall> calls;
  std::array<std::int64_t, 2> elapsed{};  // of each phase, nanoseconds
  std::string failure;                    // empty: all went well
  bool stopped = false;                   // because another task failed
};

TaskOutcome run_task(const BenchParameters& parameters, const std::string& directory, const FathomFileAccess& access,
                     const FathomTaskGroup& group);

std::string packed(const TaskOutcome& outcome);
TaskOutcome unpacked(std::uint64_t task, std::string_view bytes);

}  // namespace fathom
