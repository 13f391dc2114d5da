// SPDX-License-Identifier: Apache-2.0
/// What `fathom simulate` lists: jobs, I/O nodes, statistics.
#pragma once

#include "report/table.h"
#include "simulate/comparison.h"
#include "simulate/sweep.h"
#include "simulate/verification.h"

namespace fathom {

Table simulated_jobs(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_nodes(const simulate::Work& work, const simulate::Comparison& found, bool for_people);
Table simulated_summary(const simulate::Comparison& found);

/// Table 5.1 of the dissertation.
Table verification_table(const std::array<simulate::CounterError, 4>& errors);

/// One row for each combination of a sweep: the values, then the statistics of both ratios.
Table sweep_columns(const std::vector<simulate::Axis>& axes);
std::vector<Cell> sweep_row(const std::vector<simulate::Axis>& axes, const std::vector<std::size_t>& values,
                            const simulate::Comparison& found);

}  // namespace fathom
