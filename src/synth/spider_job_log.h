// SPDX-License-Identifier: Apache-2.0
/// Jobs of the preset `spider` as sacct writes them, and as its reader takes them.
#pragma once

#include <string>
#include <string_view>

#include "model/job.h"
#include "synth/spider_simulation.h"

namespace fathom::titan {

inline constexpr std::string_view sacct_header = "JobID|JobIDRaw|User|JobName|Partition|State|NNodes|Submit|Start|End|Timelimit|NodeList\n";

/// One line of `TZ=UTC sacct --allocations --parsable2`, with its end.
std::string sacct_line(const JobRecord& record);

/// What a reader makes of that line; only of jobs that ran.
Job as_job(const JobRecord& record);

}  // namespace fathom::titan
