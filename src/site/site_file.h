// SPDX-License-Identifier: Apache-2.0
/// A site's configuration as a TOML file: defaults of options, of one command or of all. Which there are, others know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom::site {

/// threshold = "128K" below [criteria].
struct Setting {
  std::vector<std::string> table;   // {"all"}, {"machine"}, {"criteria"}, {"trace", "summary"}
  std::string key;                  // an option without its hyphens
  std::vector<std::string> values;  // as they would stand on a command line
  bool list = false;
  std::string where;  // FILE:LINE
  std::string table_where;
};

struct SiteFile {
  std::string path;
  std::vector<Setting> settings;  // in the order of the file
};

Result<SiteFile> parse_site_file(std::string_view text, const std::string& path);
Result<SiteFile> read_site_file(const std::string& path);

/// What is wrong with a configuration, in the style of all errors.
Error wrong_site_file(std::string_view what, std::string_view where);

/// Which files hold, the stronger one last: `named` (--config), else FATHOM_CONFIG alone, else those of machine and user that exist.
std::vector<std::string> site_file_paths(const std::string& named);

}  // namespace fathom::site
