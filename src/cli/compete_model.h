// SPDX-License-Identifier: Apache-2.0
/// `fathom compete --model`: what the model says about applications that a file describes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/output.h"

namespace fathom {

struct ModelArguments {
  std::string file;
  std::vector<std::string> what_if;
  bool segments = false;
  bool standalone = false;  // the other way round: stand-alone run times from the observed ones
};

/// Declares --model, --what-if and --segments; --standalone means something without --model too, and is declared by the command.
std::shared_ptr<ModelArguments> add_model_options(CommandLine& line);

Result<void> compete_by_model(const ModelArguments& given, const OutputOptions& output);

}  // namespace fathom
