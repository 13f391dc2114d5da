// SPDX-License-Identifier: Apache-2.0
/// The time slices of one application: what each of its processes did to files, slice by slice, on the clock that all applications share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"
#include "trace_format/slice.h"

namespace fathom::slices {

using Counter = trace::SliceCounter;
using Values = trace::SliceValues;

inline std::uint64_t value_of(const Values& values, Counter counter) { return values[static_cast<std::size_t>(counter)]; }

/// Slice k covers the wall-clock time [k * length, (k + 1) * length). Times in nanoseconds.
using Slice = trace::SliceRow;
/// The clock of a node was set while the process ran: slices before and after do not line up as usual.
using ClockStep = trace::ClockStep;

/// The "rank" of what all ranks did together, where nobody told them apart (files that Darshan calls shared).
inline constexpr std::int32_t all_ranks = -2;

struct Process {
  std::string host;
  std::uint32_t pid = 0;
  std::int32_t rank = -1;  // -1: not part of an MPI job
  std::string executable;
  std::int64_t start = 0, end = 0;  // Unix time in nanoseconds; end: last sign of life if it did not end well
  bool ended_well = false;
  std::vector<Slice> slices;  // in order, none twice; where there is none, nothing was done
  std::vector<ClockStep> steps;
};

struct Profile {
  std::filesystem::path directory;
  std::string name;                  // the program's
  std::string job;                   // of the batch system; empty: none
  std::int64_t length = 0;           // of a slice, nanoseconds
  std::vector<Process> processes;    // ranks in order, then others in order of their start; launchers of MPI programs are left out
  std::vector<std::string> notices;  // what a reader of the numbers must know: processes killed, clocks set, blocks torn
};

/// The slices of a run that is open already.
Result<Profile> profile_of(const trace::Trace& trace);
/// Reads the slices of a run's directory. An error if it has none, or slices of different lengths.
Result<Profile> read_profile(const std::filesystem::path& directory);

}  // namespace fathom::slices
