// SPDX-License-Identifier: Apache-2.0
/// Options that stand before or behind every command's name: how much is said, colours, the site's configuration.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/talk.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fathom {

void add_common_options(CLI::App& app);
bool is_common(const CLI::Option& option);

struct CommonOptions {
  Talk talk = Talk::usual;
  bool no_color = false;
  std::string config;
};

/// As they were given anywhere on the command line, else as the site's configuration says.
Result<CommonOptions> common_options(const CLI::App& app);

/// The program, the command, its part: as far as they were given.
std::vector<const CLI::App*> chosen_apps(const CLI::App& app);

}  // namespace fathom
