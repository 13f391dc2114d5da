// SPDX-License-Identifier: Apache-2.0
/// How --help looks: at most 100 columns, every option with its meaning beside it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "cli/choices.h"

namespace fathom {

/// Breaks paragraphs at blanks; lines that begin with a blank (examples, lists) stay as they are.
std::string wrap_text(std::string_view text, std::size_t width);

std::shared_ptr<CLI::FormatterBase> help_formatter();

/// For ->check(): what --help already says in words is not repeated there in braces.
CLI::Validator above_zero();

}  // namespace fathom
