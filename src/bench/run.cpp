// SPDX-License-Identifier: Apache-2.0
#include "bench/run.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/units.h"
#include "bench/forked_tasks.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// The failure of the first task that has one of its own; tasks that had to stop for another say nothing.
Result<std::vector<TaskOutcome>> if_all_went_well(std::vector<TaskOutcome> outcomes) {
  for (const TaskOutcome& outcome : outcomes)
    if (!outcome.failure.empty()) return Error{ErrorKind::unwritable, outcome.failure};
  for (const TaskOutcome& outcome : outcomes)
    if (outcome.stopped) return Error{ErrorKind::unwritable, fmt::format("running task {}: it was stopped", outcome.task)};
  return outcomes;
}

}  // namespace

Result<void> prepare(const BenchParameters& parameters, const std::string& directory) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (problem) return Error{ErrorKind::unwritable, fmt::format("creating the directory {}: {}", directory, problem.message())};
  for (const std::string& name : data_file_names(parameters))
    if (fs::symlink_status(directory + "/" + name, problem).type() != fs::file_type::not_found)
      return Error{ErrorKind::unwritable,
                   fmt::format("benchmarking in {}: {} is there already; remove it or use another directory", directory, name)};
  struct statvfs room {};
  if (::statvfs(directory.c_str(), &room) != 0)
    return Error{ErrorKind::unwritable, fmt::format("asking for the free space of {}: {}", directory, std::strerror(errno))};
  const double free_bytes = static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize);
  double wanted = 0;
  for (std::uint64_t task = 0; task < parameters.tasks; ++task) wanted += static_cast<double>(bytes_of_task(parameters, task));
  if (wanted > free_bytes)
    return Error{ErrorKind::unwritable, fmt::format("benchmarking in {}: {} are to be written, {} are free", directory, human_bytes(wanted),
                                                    human_bytes(free_bytes))};
  return {};
}

Result<std::vector<TaskOutcome>> run_here(const BenchParameters& parameters, const std::string& directory) {
  TRY(std::vector<TaskOutcome> outcomes,
      run_forked(parameters.tasks, [&](const FathomTaskGroup& group) { return run_task(parameters, directory, posix_access, group); }));
  return if_all_went_well(std::move(outcomes));
}

Result<std::vector<TaskOutcome>> run_in_group(const BenchParameters& parameters, const std::string& directory,
                                              const FathomFileAccess& access, const FathomTaskGroup& group) {
  const std::string bytes = packed(run_task(parameters, directory, access, group));
  std::vector<TaskOutcome> outcomes;
  const auto take = [](void* to, std::uint64_t rank, const void* data, std::uint64_t size) {
    static_cast<std::vector<TaskOutcome>*>(to)->push_back(unpacked(rank, {static_cast<const char*>(data), size}));
  };
  if (group.gather(group.context, bytes.data(), bytes.size(), take, &outcomes) != 0)
    return Error{ErrorKind::busy, fmt::format("gathering the calls of task {}: it failed", group.rank)};
  return if_all_went_well(std::move(outcomes));
}

void remove_data_files(const BenchParameters& parameters, const std::string& directory) {
  std::error_code ignored;
  for (const std::string& name : data_file_names(parameters)) fs::remove(directory + "/" + name, ignored);
}

Table phase_table(const std::vector<TaskOutcome>& outcomes) {
  Table table{{{"phase"},
               {"bytes", Quantity::bytes},
               {"ops", Quantity::count},
               {"opens", Quantity::count},
               {"closes", Quantity::count},
               {"elapsed", Quantity::duration},
               {"bytes_per_s", Quantity::bytes}},
              {}};
  for (const BenchPhase phase : {BenchPhase::write, BenchPhase::read}) {
    std::uint64_t bytes = 0;
    std::array<std::uint64_t, bench_call_words.size()> calls{};
    std::int64_t elapsed = 0;
    for (const TaskOutcome& outcome : outcomes) {
      for (const TimedCall& one : outcome.calls) {
        if (one.phase != phase) continue;
        bytes += one.bytes;
        ++calls[static_cast<std::size_t>(one.call)];
      }
      elapsed = std::max(elapsed, outcome.elapsed[static_cast<std::size_t>(phase)]);
    }
    const auto of = [&](BenchCall call) { return calls[static_cast<std::size_t>(call)]; };
    const double seconds_taken = static_cast<double>(elapsed) / 1e9;
    table.rows.push_back({cell(bench_phase_words[static_cast<std::size_t>(phase)]), cell(bytes),
                          cell(of(BenchCall::write) + of(BenchCall::read)), cell(of(BenchCall::open)), cell(of(BenchCall::close)),
                          cell(Duration{elapsed / 1000}),
                          seconds_taken > 0 ? Cell{static_cast<std::int64_t>(static_cast<double>(bytes) / seconds_taken)} : Cell{}});
  }
  return table;
}

}  // namespace fathom
