// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/units.h"
#include "slices/profile.h"

namespace fathom::slices {
namespace {

void add(const trace::SliceRows& from, Process& to) {
  to.slices.insert(to.slices.end(), from.rows.begin(), from.rows.end());
  to.steps.insert(to.steps.end(), from.steps.begin(), from.steps.end());
}

/// What several processes of one rank (the program and what it started) did in a slice counts together.
void put_in_order(Process& process) {
  trace::add_up(process.slices);
  std::stable_sort(process.steps.begin(), process.steps.end(), [](const ClockStep& a, const ClockStep& b) { return a.at < b.at; });
}

std::string seconds_text(std::int64_t ns) { return fmt::format("{:g} s", static_cast<double>(ns) / 1e9); }

/// The lengths that occur, each with the number of processes that have it.
Result<std::int64_t> only_length(const trace::Trace& trace) {
  std::map<std::int64_t, std::size_t> lengths;
  bool mixed = false;
  for (const trace::Process& process : trace.processes) {
    if (process.slices.length != 0) ++lengths[process.slices.length];
    mixed = mixed || process.slices.other_length > 0;
  }
  const std::string where = trace.directory.string();
  if (lengths.empty())
    return Error{ErrorKind::not_found, fmt::format("reading slices of {}: it holds none; run the program with `fathom run --slices`", where)};
  if (lengths.size() == 1 && !mixed) return lengths.begin()->first;
  std::string found;
  for (const auto& [length, processes] : lengths) found += fmt::format("{}{} ({} process{})", found.empty() ? "" : ", ", seconds_text(length), processes, processes == 1 ? "" : "es");
  return Error{ErrorKind::usage, fmt::format("reading slices of {}: they have different lengths: {}; slices can be compared only if all processes had the same FATHOM_SLICE", where, found)};
}

void add_notices(const trace::Trace& trace, Profile& profile) {
  const auto several = [](std::size_t n, std::string_view one, std::string_view many) { return fmt::format("{} {}", n, n == 1 ? one : many); };
  std::size_t killed = 0, stepped = 0;
  std::int64_t largest = 0;
  for (const Process& process : profile.processes) {
    killed += !process.ended_well;
    stepped += !process.steps.empty();
    for (const ClockStep& step : process.steps)
      if (std::abs(step.by) > std::abs(largest)) largest = step.by;
  }
  if (killed > 0) profile.notices.push_back(several(killed, "process did", "processes did") + " not end well: a call that was under way then is in no slice");
  if (stepped > 0)
    profile.notices.push_back(fmt::format("the clock was set while {} ran, by up to {:+g} s: slices around that moment are longer or shorter than the others, or hold two times of day",
                                          several(stepped, "process", "processes"), static_cast<double>(largest) / 1e9));
  for (const trace::Trouble& trouble : trace.troubles) profile.notices.push_back(fmt::format("{} ({}{})", trouble.what, trouble.where, trouble.count > 1 ? fmt::format(", {} times", trouble.count) : ""));
}

}  // namespace

Result<Profile> read_profile(const std::filesystem::path& directory) {
  TRY(const trace::Trace trace, trace::open_trace(directory));
  return profile_of(trace);
}

Result<Profile> profile_of(const trace::Trace& trace) {
  Profile profile;
  profile.directory = trace.directory;
  TRY(profile.length, only_length(trace));
  std::vector<Process> units(trace.units.size());
  std::vector<bool> seen(units.size());
  for (const trace::Process& process : trace.processes) {
    const std::size_t number = process.unit;
    const trace::Unit& unit = trace.units[number];
    if (unit.launcher) continue;
    Process& to = units[number];
    if (profile.job.empty()) profile.job = process.job;
    if (!seen[number]) {
      to = {unit.host, process.pid, trace::has_mpi_ranks(trace) ? unit.rank : -1, process.executable, unit.start, unit.end, true, {}, {}};
      seen[number] = true;
    }
    to.ended_well = to.ended_well && process.ended_well;
    add(process.slices, to);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!seen[i]) continue;
    put_in_order(units[i]);
    profile.processes.push_back(std::move(units[i]));
  }
  // The program that did most of it gives the application its name; mpiexec and shells are not it.
  std::map<std::string, std::uint64_t> moved;
  for (const Process& process : profile.processes)
    for (const Slice& slice : process.slices) moved[process.executable] += 1 + value_of(slice.values, Counter::read_bytes) + value_of(slice.values, Counter::write_bytes);
  const auto most = std::max_element(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  profile.name = most == moved.end() ? trace.directory.filename().string() : std::filesystem::path(most->first).filename().string();
  add_notices(trace, profile);
  return profile;
}

}  // namespace fathom::slices
