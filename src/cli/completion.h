// SPDX-License-Identifier: Apache-2.0
/// Scripts by which shells complete commands, options and their values; written from the commands' own declarations.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace fathom {

struct Shell {
  std::string_view name;
  std::string_view file;  // below the prefix where it is installed
  std::string (*script)(const CLI::App& app);
};

std::span<const Shell> all_shells();

}  // namespace fathom
