// SPDX-License-Identifier: Apache-2.0
/// A job's clients and servers on one clock: as rows, as a picture, and in a sentence.
#pragma once

#include <string>

#include "characterise/both_sides.h"
#include "report/table.h"

namespace fathom {

Table both_sides_rows(const BothSides& both);
/// `step` in seconds; 0: as many slots as fit the width.
Result<std::string> both_sides_plot(const Study& study, const JobView& view, const std::vector<ClientRun>& clients, double step,
                                    std::size_t width = 96);
/// Totals of both sides, their ratio, the delay, and the share of the servers' traffic that the job explains.
std::string both_sides_summary(const BothSides& both);

}  // namespace fathom
