// SPDX-License-Identifier: Apache-2.0
/// Training runs of a real machine as a CSV file, one row for each run.
#pragma once

#include <vector>

#include "advise/training_point.h"
#include "base/input.h"
#include "base/result.h"

namespace fathom::advise {

/// Columns, by name and in any order:
///   throughput          bytes per second of its bursts
///   io_to_compute       its I/O time alone / compute time
///   band_0, band_1, ... fractions of time by band at its start, mean over the m least loaded servers of its file system (`fathom load`);
///   they add up to 1
/// and how long its I/O took, either of
///   normalised          I/O time / I/O time alone
///   io_seconds          I/O time; with alone_seconds divided by that, else by the shortest of the same `application`
/// Other columns are passed over.
Result<std::vector<TrainingPoint>> read_training_runs(LineInput& input);

}  // namespace fathom::advise
