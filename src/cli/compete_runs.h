// SPDX-License-Identifier: Apache-2.0
/// `fathom compete DIR DIR...`: runs that were measured side by side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/output.h"

namespace fathom {

struct RunsArguments {
  std::vector<std::string> directories;
  std::vector<std::string> standalone;  // NAME=DIR or NAME=SECONDS
  std::shared_ptr<std::string> direction;
  std::string share;  // process or node; empty: the nearer one
  std::string least;  // bytes
  bool trim = false, pairs = false;
};

/// Declares DIR, --direction, --least, --trim, --share and --pairs; --standalone means something with --model too, and is declared by the
/// command.
std::shared_ptr<RunsArguments> add_runs_options(CommandLine& line);

Result<void> compete_by_runs(const RunsArguments& given, const OutputOptions& output);

}  // namespace fathom
