// SPDX-License-Identifier: Apache-2.0
/// The rows of `fathom criteria`: one for each job and threshold.
#pragma once

#include "characterise/study.h"
#include "report/table.h"

namespace fathom {

/// All columns of the contract, or with `brief` those that fit a terminal.
Table criteria_rows(const Study& study, bool brief);
std::string flag_names(std::uint8_t flags);

}  // namespace fathom
