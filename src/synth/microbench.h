// SPDX-License-Identifier: Apache-2.0
/// Two I/O nodes on which the benchmark's tests run back to back, with other jobs before, between and after them.
#pragma once

#include <string>

#include "base/result.h"
#include "synth/synth.h"

namespace fathom {

/// mmpmon-*.log, jobs.csv, truth/ and truth/bench/ID.csv below `directory`.
Result<void> write_microbench(const SynthOptions& options, const std::string& directory);
Result<void> deliver_microbench(const SynthOptions& options, Harvest& harvest);

}  // namespace fathom
