// SPDX-License-Identifier: Apache-2.0
/// What `fathom run` says when the program has ended.
#pragma once

#include "cli/traced_command.h"

namespace fathom {

/// What a user wants to know at once, in three lines on standard error.
void print_run_end(const TracedCommand& command, const TracedOutcome& outcome);

}  // namespace fathom
