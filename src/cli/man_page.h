// SPDX-License-Identifier: Apache-2.0
/// Pages for man(1), from the commands' own descriptors: fathom.1, which lists them, and fathom-COMMAND.1 for each.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace fathom {

std::string overview_man_page(const CLI::App& app);
std::string man_page(const Command& command, const CLI::App& app);

}  // namespace fathom
