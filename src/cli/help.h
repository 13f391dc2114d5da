// SPDX-License-Identifier: Apache-2.0
/// How --help looks: at most 100 columns, every option with its meaning beside it.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace fathom {

std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace fathom
