// SPDX-License-Identifier: Apache-2.0
/// The rows of `fathom criteria`: one for each job and threshold.
#pragma once

#include "characterise/study.h"
#include "cli/output.h"

namespace fathom {

/// Writes all columns of the contract, or as a table for people those that fit a terminal.
Result<void> write_criteria(const Study& study, const OutputOptions& output);
std::string flag_names(std::uint8_t flags);

}  // namespace fathom
