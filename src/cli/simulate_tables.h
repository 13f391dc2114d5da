// SPDX-License-Identifier: Apache-2.0
/// What `fathom simulate` lists: jobs, I/O nodes, statistics.
#pragma once

#include "report/table.h"
#include "simulate/comparison.h"
#include "simulate/scenario.h"
#include "simulate/sweep_run.h"
#include "simulate/verification.h"

namespace fathom {

Table simulated_jobs(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_nodes(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_summary(const simulate::Comparison& found);

/// Table 5.1 of the dissertation.
Table verification_table(const std::array<simulate::CounterError, 4>& errors);

/// One row for each combination of a sweep that was done: its values, the statistics of both ratios, wear and cost. For people without the
/// columns in which nothing stands.
Table sweep_table(const simulate::Sweep& sweep, const std::vector<simulate::SweepPoint>& points, const simulate::Prices& prices,
                  bool for_people);

}  // namespace fathom
