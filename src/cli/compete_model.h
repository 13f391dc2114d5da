// SPDX-License-Identifier: Apache-2.0
/// `fathom compete --model`: what the model says about applications that a file describes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/output.h"

namespace fathom {

struct ModelArguments {
  std::string file;
  std::vector<std::string> what_if;
  bool segments = false;
  bool standalone = false;
};

/// Declares --model, --what-if, --segments and --standalone.
std::shared_ptr<ModelArguments> add_model_options(CLI::App& app);

Result<void> compete_by_model(const ModelArguments& given, const OutputOptions& output);

}  // namespace fathom
