// SPDX-License-Identifier: Apache-2.0
#include "bench/parameters.h"

#include <fmt/format.h>

#include "base/units.h"

namespace fathom {
namespace {

Error wrong(std::string what) { return {ErrorKind::usage, fmt::format("benchmarking: {}", what)}; }

std::string binary_text(std::uint64_t bytes) {
  if (bytes != 0 && bytes % 1024 == 0) return fmt::format("{}Ki", bytes / 1024);
  return fmt::format("{}", bytes);
}

}  // namespace

Result<void> validate(const BenchParameters& parameters) {
  if (parameters.tasks == 0) return wrong("at least one task is needed (--tasks)");
  if (parameters.count == 0) return wrong("at least one request is needed (--count)");
  if (parameters.size == 0) return wrong("a request has at least one byte (--size, --random-max)");
  if (parameters.size > largest_bench_request)
    return wrong(fmt::format("requests of {} bytes are too large: at most {}", parameters.size, largest_bench_request));
  if (parameters.tasks > most_bench_tasks)
    return wrong(fmt::format("{} tasks are too many: at most {}", parameters.tasks, most_bench_tasks));
  if (parameters.count > most_bench_requests / parameters.tasks)
    return wrong(fmt::format("{} tasks with {} requests each are too many: at most {} requests in all", parameters.tasks, parameters.count,
                             human_count(most_bench_requests)));
  if (!(parameters.pause_seconds >= 0 && parameters.pause_seconds <= 86400)) return wrong("--pause is from 0 to 86400 seconds");
  return {};
}

std::string request_text(const BenchParameters& parameters) {
  return fmt::format("{}{}", parameters.random_sizes ? "random max " : "", binary_text(parameters.size));
}

std::uint64_t bytes_of_task(const BenchParameters& parameters, std::uint64_t task) {
  if (!parameters.random_sizes) return parameters.size * parameters.count;
  RequestSequence sizes(parameters, task);
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < parameters.count; ++i) bytes += sizes.next();
  return bytes;
}

std::uint64_t first_offset(const BenchParameters& parameters, std::uint64_t task) {
  if (parameters.layout == BenchLayout::task_local) return 0;
  if (!parameters.random_sizes) return task * parameters.size * parameters.count;
  std::uint64_t offset = 0;
  for (std::uint64_t before = 0; before < task; ++before) offset += bytes_of_task(parameters, before);
  return offset;
}

std::string data_file_name(const BenchParameters& parameters, std::uint64_t task) {
  return parameters.layout == BenchLayout::shared ? "bench-shared.dat" : fmt::format("bench-{:06}.dat", task);
}

std::vector<std::string> data_file_names(const BenchParameters& parameters) {
  std::vector<std::string> names;
  const std::uint64_t files = parameters.layout == BenchLayout::shared ? 1 : parameters.tasks;
  for (std::uint64_t task = 0; task < files; ++task) names.push_back(data_file_name(parameters, task));
  return names;
}

}  // namespace fathom
