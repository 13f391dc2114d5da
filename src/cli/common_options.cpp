// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace fathom {
namespace {

constexpr const char* group = "On every command";

/// On the command line (given) or anywhere.
bool is_set(const std::vector<const CLI::App*>& apps, const char* name, bool given) {
  return std::any_of(apps.begin(), apps.end(), [&](const CLI::App* app) {
    const CLI::Option* option = app->get_option(name);
    return (option->count() > 0) == given && (given || !option->get_default_str().empty()) && option->as<bool>();
  });
}

}  // namespace

// They have no variables: each command has its own, and what is in force is asked of all that were given.
void add_common_options(CLI::App& app) {
  app.add_flag("--quiet")->description("say nothing on standard error but errors")->group(group);
  app.add_flag("--verbose")
      ->description("say on standard error what is read, which settings are in force and how long each step takes")
      ->group(group);
  app.add_flag("--no-color")->description("no colours on a terminal, as with NO_COLOR in the environment")->group(group);
  app.add_option("--config")
      ->description("the site's configuration, instead of the usual files (see fathom config)")
      ->type_name("FILE")
      ->group(group);
}

bool is_common(const CLI::Option& option) {
  return option.get_group() == group || option.check_name("--help") || option.check_name("--version");
}

std::vector<const CLI::App*> chosen_apps(const CLI::App& app) {
  std::vector<const CLI::App*> apps{&app};
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands()) apps.push_back(chosen.front());
  return apps;
}

Result<CommonOptions> common_options(const CLI::App& app) {
  const auto apps = chosen_apps(app);
  CommonOptions found;
  for (const bool given : {false, true}) {  // the command line last: it is stronger
    const bool quiet = is_set(apps, "--quiet", given), verbose = is_set(apps, "--verbose", given);
    if (quiet && verbose) return Error{ErrorKind::usage, "--quiet and --verbose contradict each other\nTry: fathom --help"};
    if (quiet || verbose) found.talk = quiet ? Talk::quiet : Talk::verbose;
    if (is_set(apps, "--no-color", given)) found.no_color = true;
  }
  for (const CLI::App* each : apps)
    if (const CLI::Option* option = each->get_option("--config"); option->count() > 0) found.config = option->results().back();
  return found;
}

}  // namespace fathom
