// SPDX-License-Identifier: Apache-2.0
/// The site's configuration in force: its settings as defaults of the options that the commands declare.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "site/site_file.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fathom {

/// Where the default of an option comes from (FILE:LINE); of those that no file names, nothing.
using SettingSources = std::map<const CLI::Option*, std::string>;

/// Options of `app` get the files' values as defaults, each only what it would accept on the command line; later files are stronger, and
/// within one file [COMMAND] is stronger than [machine] and [all]. An unknown command or option is refused with its place.
Result<SettingSources> apply_site_files(CLI::App& app, const std::vector<site::SiteFile>& files);

/// Reads them; `named` as --config has it.
Result<std::vector<site::SiteFile>> read_site_files(const std::string& named);

/// For people: what an option is, by which value, and from where: "command line", FILE:LINE or "default".
struct SettingInForce {
  std::string option, value, source;
};
std::vector<SettingInForce> settings_in_force(const CLI::App& command, const SettingSources& sources);

}  // namespace fathom
