// SPDX-License-Identifier: Apache-2.0
/// What `fathom simulate` lists: jobs, I/O nodes, statistics.
#pragma once

#include "report/table.h"
#include "simulate/comparison.h"

namespace fathom {

Table simulated_jobs(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_nodes(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_summary(const simulate::Comparison& found);

}  // namespace fathom
