// SPDX-License-Identifier: Apache-2.0
/// The I/O of one run over time: start-up read, streams, checkpoints, final output, and a log line about every minute.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/io_flow.h"
#include "synth/job_mix.h"

namespace fathom {

/// All flows of a run that starts at `start` (microseconds) on `servers` I/O nodes, those of one server in order of their begin.
/// File system 0 is the one for work, 1 home, 2 (where there is one) the archive; `filesystems` is how many there are.
std::vector<Flow> io_of(const Run& run, std::uint32_t job, std::int64_t start, std::uint16_t servers, std::uint8_t filesystems,
                        std::uint64_t seed);

}  // namespace fathom
