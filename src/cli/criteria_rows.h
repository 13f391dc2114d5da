// SPDX-License-Identifier: Apache-2.0
/// The rows of `fathom criteria`: one for each job and threshold.
#pragma once

#include <functional>

#include "characterise/study.h"
#include "report/table.h"

namespace fathom {

/// All columns of the contract, or with `brief` those that fit a terminal, a few thousand jobs at a time: fills `part` and returns true
/// until there are no more. The study must outlive it.
std::function<bool(Table& part)> criteria_rows_in_parts(const Study& study, bool brief);
std::string flag_names(std::uint8_t flags);

}  // namespace fathom
