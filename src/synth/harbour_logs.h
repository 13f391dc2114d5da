// SPDX-License-Identifier: Apache-2.0
/// What the preset `harbour` gives: Lustre's counters, the job log, a trace and the truth; or the samples and jobs of a harvest.
#pragma once

#include <string>

#include "synth/synth.h"

namespace fathom::quayside {

/// ost-stats.txt, job-stats.txt, sacct.txt, traces/JOB and truth/ below `directory`.
Result<void> write_logs(const SynthOptions& options, const std::string& directory);
Result<void> deliver(const SynthOptions& options, Harvest& harvest);

}  // namespace fathom::quayside
