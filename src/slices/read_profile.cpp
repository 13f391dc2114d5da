// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/units.h"
#include "slices/profile.h"

namespace fathom::slices {
namespace {

/// What several processes of one rank (the program and what it started) did in a slice counts together.
void put_in_order(Process& process) {
  trace::add_up(process.slices);
  std::stable_sort(process.steps.begin(), process.steps.end(), [](const ClockStep& a, const ClockStep& b) { return a.at < b.at; });
}

std::string seconds_text(std::int64_t ns) { return fmt::format("{:g} s", static_cast<double>(ns) / 1e9); }

/// The lengths of slices that occur, and what could not be read.
struct Seen {
  std::map<std::int64_t, std::size_t> lengths;  // with the number of processes that have it
  bool mixed = false;                           // one process has several
  std::uint64_t broken = 0;

  void take(const trace::SliceRows& slices) {
    if (slices.length != 0) ++lengths[slices.length];
    mixed = mixed || slices.other_length > 0;
    broken += slices.broken;
  }

  Result<std::int64_t> only_length(const std::string& where) const {
    if (lengths.empty())
      return Error{ErrorKind::not_found, fmt::format("reading slices of {}: it holds none{}; run the program with `fathom run --slices`",
                                                     where, broken > 0 ? " that can be read" : "")};
    if (lengths.size() == 1 && !mixed) return lengths.begin()->first;
    std::string found;
    for (const auto& [length, processes] : lengths)
      found += fmt::format("{}{} ({} process{})", found.empty() ? "" : ", ", seconds_text(length), processes, processes == 1 ? "" : "es");
    return Error{
        ErrorKind::usage,
        fmt::format(
            "reading slices of {}: they have different lengths: {}; slices can be compared only if all processes had the same FATHOM_SLICE",
            where, found)};
  }
};

void add_notices(const trace::Trace& trace, const Seen& seen, Profile& profile) {
  const auto several = [](std::size_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  std::size_t killed = 0, stepped = 0;
  std::int64_t largest = 0;
  for (const Process& process : profile.processes) {
    killed += !process.ended_well;
    stepped += !process.steps.empty();
    for (const ClockStep& step : process.steps)
      if (std::abs(step.by) > std::abs(largest)) largest = step.by;
  }
  if (killed > 0)
    profile.notices.push_back(several(killed, "process did", "processes did") +
                              " not end well: a call that was under way then is in no slice");
  if (stepped > 0)
    profile.notices.push_back(
        fmt::format("the clock was set while {} ran, by up to {:+g} s: slices around that moment are longer or shorter than the others, or "
                    "hold two times of day",
                    several(stepped, "process", "processes"), static_cast<double>(largest) / 1e9));
  if (seen.broken > 0) profile.notices.push_back(several(seen.broken, "block of slices", "blocks of slices") + " could not be read");
  for (const trace::Trouble& trouble : trace.troubles)
    profile.notices.push_back(
        fmt::format("{} ({}{})", trouble.what, trouble.where, trouble.count > 1 ? fmt::format(", {} times", trouble.count) : ""));
}

}  // namespace

Result<Profile> read_profile(const std::filesystem::path& directory) {
  TRY(const trace::Trace trace, trace::open_trace(directory));
  return profile_of(trace);
}

Result<Profile> profile_of(const trace::Trace& trace) {
  Profile profile;
  profile.directory = trace.directory;
  Seen seen;
  std::vector<Process> units(trace.units.size());
  std::vector<bool> known(units.size());
  for (std::size_t i = 0; i < trace.processes.size(); ++i) {
    const trace::Process& process = trace.processes[i];
    const std::size_t number = process.unit;
    const trace::Unit& unit = trace.units[number];
    if (unit.launcher) continue;
    Process& to = units[number];
    if (profile.job.empty()) profile.job = process.job;
    if (!known[number]) {
      to = {unit.host, process.pid, trace::has_mpi_ranks(trace) ? unit.rank : -1, process.executable, unit.start, unit.end, true, {}, {}};
      known[number] = true;
    }
    to.ended_well = to.ended_well && process.ended_well;
    const trace::SliceRows slices = trace::slices_of(trace, i);
    seen.take(slices);
    to.slices.insert(to.slices.end(), slices.rows.begin(), slices.rows.end());
    to.steps.insert(to.steps.end(), slices.steps.begin(), slices.steps.end());
  }
  TRY(profile.length, seen.only_length(trace.directory.string()));
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!known[i]) continue;
    put_in_order(units[i]);
    profile.processes.push_back(std::move(units[i]));
  }
  // The program that did most of it gives the application its name; mpiexec and shells are not it.
  std::map<std::string, std::uint64_t> moved;
  for (const Process& process : profile.processes)
    for (const Slice& slice : process.slices)
      moved[process.executable] += 1 + value_of(slice.values, Counter::read_bytes) + value_of(slice.values, Counter::write_bytes);
  const auto most = std::max_element(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  profile.name = most == moved.end() ? trace.directory.filename().string() : std::filesystem::path(most->first).filename().string();
  add_notices(trace, seen, profile);
  return profile;
}

}  // namespace fathom::slices
