// SPDX-License-Identifier: Apache-2.0
/// How --help looks: at most 100 columns, every option with its meaning beside it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/wrap.h"
#include "cli/choices.h"

namespace fathom {

std::shared_ptr<CLI::FormatterBase> help_formatter();

/// For ->check(): what --help already says in words is not repeated there in braces.
CLI::Validator above_zero();

}  // namespace fathom
