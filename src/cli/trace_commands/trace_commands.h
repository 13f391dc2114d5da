// SPDX-License-Identifier: Apache-2.0
/// The words after `fathom trace`: each has a file of its own in this folder.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/output.h"
#include "trace/trace.h"

namespace fathom::trace {
class TraceMeasurement;
}

namespace fathom {

std::span<const Command* const> all_trace_commands();

/// Declares the argument DIR.
std::shared_ptr<std::string> add_trace_argument(CommandLine& line);

/// Declares DIR, --format and -o of a command that lists something of a trace and asks nothing more.
std::function<Result<void>()> declare_list(CommandLine& line,
                                           Result<void> (*run)(const std::string& directory, const OutputOptions& output));

/// Opens a trace and says on standard error what of it could not be read.
Result<trace::Trace> open_and_tell(const std::string& directory);

/// The analysis map of a measured run, as text.
std::string trace_map(const trace::TraceMeasurement& measurement, const std::string& title);

}  // namespace fathom
