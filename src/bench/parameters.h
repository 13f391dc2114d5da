// SPDX-License-Identifier: Apache-2.0
/// What a run of the micro-benchmark is to do: interface, files, requests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace fathom {

enum class BenchLayout : std::uint8_t { shared, task_local };
enum class BenchInterface : std::uint8_t { posix, mpiio };

/// The words of the command line and of truth files.
constexpr std::string_view word(BenchLayout layout) { return layout == BenchLayout::shared ? "shared" : "task-local"; }
constexpr std::string_view word(BenchInterface interface) { return interface == BenchInterface::posix ? "posix" : "mpiio"; }

struct BenchParameters {
  BenchInterface interface = BenchInterface::posix;
  BenchLayout layout = BenchLayout::task_local;
  std::uint64_t tasks = 4;
  std::uint64_t size = 1u << 20;  // bytes of every request, or the largest where they are random
  bool random_sizes = false;      // uniform in [1, size]
  std::uint64_t count = 16;       // requests of each task, in each direction
  std::uint64_t seed = 1;
  bool sync = false;         // fsync before closing a written file
  double pause_seconds = 0;  // between writing and reading
};

// A task keeps one request in memory, and every call of the run is kept until its end: 48 bytes each.
inline constexpr std::uint64_t largest_bench_request = 1u << 30;
inline constexpr std::uint64_t most_bench_tasks = 4096;
inline constexpr std::uint64_t most_bench_requests = 5'000'000;

/// Nothing when the parameters make sense, or a usage error.
Result<void> validate(const BenchParameters& parameters);

/// "4Ki", "random max 64Ki": the request sizes as the tables of the verification name them.
std::string request_text(const BenchParameters& parameters);

/// The sizes of one task's requests, one after another; the same for the same seed, whatever other tasks draw.
class RequestSequence {
 public:
  RequestSequence(const BenchParameters& parameters, std::uint64_t task)
      : random_(Random::stream(parameters.seed, task)), size_(parameters.size), random_sizes_(parameters.random_sizes) {}
  std::uint64_t next() { return random_sizes_ ? static_cast<std::uint64_t>(random_.whole(1, static_cast<std::int64_t>(size_))) : size_; }

 private:
  Random random_;
  std::uint64_t size_;
  bool random_sizes_;
};

/// All bytes of one task in one direction.
std::uint64_t bytes_of_task(const BenchParameters& parameters, std::uint64_t task);

/// Where a task's first request stands in its file: in a shared file each task has a stretch of its own, in order of tasks.
std::uint64_t first_offset(const BenchParameters& parameters, std::uint64_t task);

/// bench-shared.dat, or bench-000007.dat for task 7.
std::string data_file_name(const BenchParameters& parameters, std::uint64_t task);
/// Every data file of the run, each once.
std::vector<std::string> data_file_names(const BenchParameters& parameters);

}  // namespace fathom
