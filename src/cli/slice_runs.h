// SPDX-License-Identifier: Apache-2.0
/// The runs that the commands about slices are given: directories of `fathom run`, each with a name.
#pragma once

#include "cli/command_line.h"
#include "compete/application.h"

namespace fathom {

struct SliceRuns {
  std::vector<slices::Profile> profiles;
  std::vector<std::string> labels;
};

/// Each word is DIR or NAME=DIR. Says on standard error what readers of the numbers must know.
Result<SliceRuns> read_slice_runs(const std::vector<std::string>& words);

/// Declares --direction.
std::shared_ptr<std::string> add_direction_option(CommandLine& line, std::string usual);
slices::Direction direction_named(std::string_view name);

}  // namespace fathom
