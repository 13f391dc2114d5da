// SPDX-License-Identifier: Apache-2.0
#include "site/site_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"

namespace fathom::site {
namespace {

/// [criteria]
/// threshold = "128K"
/// min-runtime = 600
class Reader {
 public:
  explicit Reader(SiteFile& file) : file_(file) {}

  Result<void> read(const toml::table& root) {
    for (const auto& [key, value] : root) {
      const toml::table* const table = value.as_table();
      if (table == nullptr)
        return wrong(
            fmt::format("'{}' stands outside of a table: put it below [all], or below the name of a command", excerpt(key.str(), 40)),
            key.source());
      TRY_VOID(read_table({std::string(key.str())}, *table, key.source()));
    }
    std::stable_sort(file_.settings.begin(), file_.settings.end(),
                     [&](const Setting& a, const Setting& b) { return line_in(a) < line_in(b); });
    return {};
  }

 private:
  static unsigned line_of(const toml::source_region& where) { return std::max(1u, static_cast<unsigned>(where.begin.line)); }
  std::string place(const toml::source_region& where) const { return fmt::format("{}:{}", file_.path, line_of(where)); }
  Error wrong(std::string_view what, const toml::source_region& where) const { return wrong_site_file(what, place(where)); }
  std::uint64_t line_in(const Setting& setting) const {
    return parse_u64(std::string_view(setting.where).substr(file_.path.size() + 1)).value_or(0);
  }

  Result<void> read_table(const std::vector<std::string>& name, const toml::table& table, const toml::source_region& where) {
    for (const auto& [key, value] : table) {
      if (const toml::table* const part = value.as_table()) {
        if (name.size() > 1)
          return wrong(fmt::format("'{}' is a table too deep: [COMMAND] or [COMMAND.PART]", excerpt(key.str(), 40)), key.source());
        TRY_VOID(read_table({name.front(), std::string(key.str())}, *part, key.source()));
        continue;
      }
      Setting setting{name, std::string(key.str()), {}, value.is_array(), place(key.source()), place(where)};
      if (const toml::array* const list = value.as_array()) {
        for (const toml::node& each : *list) TRY_VOID(add_value(setting, each, key.source()));
      } else {
        TRY_VOID(add_value(setting, value, key.source()));
      }
      file_.settings.push_back(std::move(setting));
    }
    return {};
  }

  Result<void> add_value(Setting& setting, const toml::node& value, const toml::source_region& where) const {
    if (const auto text = value.value_exact<std::string>())
      setting.values.push_back(*text);
    else if (const auto whole = value.value_exact<std::int64_t>())
      setting.values.push_back(fmt::format("{}", *whole));
    else if (const auto real = value.value_exact<double>())
      setting.values.push_back(fmt::format("{}", *real));
    else if (const auto flag = value.value_exact<bool>())
      setting.values.emplace_back(*flag ? "true" : "false");
    else
      return wrong(fmt::format("{} is a text, a number, true or false, or a list of these", excerpt(setting.key, 40)), where);
    return {};
  }

  SiteFile& file_;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Error wrong_site_file(std::string_view what, std::string_view where) {
  return {ErrorKind::malformed, fmt::format("reading the site's configuration: {} ({})", what, where)};
}

Result<SiteFile> parse_site_file(std::string_view text, const std::string& path) {
  SiteFile file{path, {}};
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed)
    return wrong_site_file(parsed.error().description(),
                           fmt::format("{}:{}", path, std::max(1u, static_cast<unsigned>(parsed.error().source().begin.line))));
  TRY_VOID(Reader(file).read(parsed.table()));
  return file;
}

Result<SiteFile> read_site_file(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return Error{text.error().kind, fmt::format("reading the site's configuration {}: {}", path, text.error().message)};
  return parse_site_file(*text, path);
}

std::vector<std::string> site_file_paths(const std::string& named) {
  if (!named.empty()) return {named};
  if (const std::string given = variable("FATHOM_CONFIG"); !given.empty()) return {given};
  std::vector<std::string> usual{"/etc/fathom/site.toml"}, found;
  const std::string home = variable("HOME"), config = variable("XDG_CONFIG_HOME");
  if (!config.empty())
    usual.push_back(config + "/fathom/site.toml");
  else if (!home.empty())
    usual.push_back(home + "/.config/fathom/site.toml");
  std::error_code problem;
  for (const std::string& path : usual)
    if (std::filesystem::exists(path, problem)) found.push_back(path);
  return found;
}

}  // namespace fathom::site
