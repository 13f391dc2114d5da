// SPDX-License-Identifier: Apache-2.0
/// What the commands that analyse a trace share: going through its events with a progress bar, and the choice of a layer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "trace_analysis/tables.h"

namespace fathom {

Result<void> walk_with_progress(const trace::Trace& trace, std::vector<trace::Analysis*> analyses);

/// Declares --layer; posix unless told otherwise.
std::shared_ptr<std::string> add_layer_option(CommandLine& line);
trace::Interface layer_named(std::string_view name);

}  // namespace fathom
