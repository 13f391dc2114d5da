// SPDX-License-Identifier: Apache-2.0
#include "cli/site_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/choices.h"
#include "cli/common_options.h"

namespace fathom {
namespace {

using site::Setting;

std::vector<CLI::App*> parts_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view close = closest_word(word, names);
  return close.empty() ? "" : fmt::format("; did you mean '{}'?", close);
}

std::vector<std::string> names_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* part : parts_of(app)) names.push_back(part->get_name());
  return names;
}

/// Options that a file may set: not what makes a command show something else (--help), nor what is given by its place.
bool may_be_set(const CLI::Option& option) {
  return !option.get_positional() && !option.get_lnames().empty() && !option.check_name("--help") && !option.check_name("--version") &&
         !option.check_name("--config");
}

std::vector<std::string> settable(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (may_be_set(*option)) names.push_back(option->get_lnames().front());
  return names;
}

CLI::Option* option_named(CLI::App& app, const std::string& name) {
  CLI::Option* const option = app.get_option_no_throw("--" + name);
  return option != nullptr && may_be_set(*option) ? option : nullptr;
}

/// As one argument: a list for an option that takes several, else separated by commas, as --threshold has it.
std::string argument(const Setting& setting, const CLI::Option& option) {
  if (!setting.list) return setting.values.front();
  const std::string joined = fmt::format("{}", fmt::join(setting.values, ","));
  return option.get_expected_max() > 1 ? "[" + joined + "]" : joined;
}

/// Why the option does not take it; empty: it does, and from now on it is its default.
std::string set_default(CLI::Option& option, const Setting& setting) {
  if (setting.list && setting.values.empty()) return "the list is empty";
  const std::string value = argument(setting, option);
  if (!takes_value(option) && value != "true" && value != "false") return "it is true or false";
  try {
    option.default_val(value);
  } catch (const CLI::Error& error) {
    return error.what();
  }
  if (option.get_required()) option.required(false);
  return "";
}

class Application {
 public:
  explicit Application(CLI::App& app) : app_(app) {}

  Result<void> apply(const Setting& setting) {
    if (setting.table.front() == "all" || setting.table.front() == "machine") return apply_to_all(setting);
    CLI::App* command = &app_;
    std::string words;
    for (const std::string& word : setting.table) {
      CLI::App* const part = find(*command, word);
      if (part == nullptr) {
        auto known = names_of(*command);
        if (command == &app_)
          for (const char* name : {"all", "machine"}) known.emplace_back(name);
        return site::wrong_site_file(fmt::format("there is no command '{}{}'{}", words, excerpt(word, 40), did_you_mean(word, known)),
                                     setting.table_where);
      }
      command = part;
      words += word + " ";
    }
    if (!parts_of(*command).empty())
      return site::wrong_site_file(fmt::format("`fathom {0}` has commands of its own: write [{0}.PART]", command->get_name()),
                                   setting.table_where);
    CLI::Option* const option = option_named(*command, setting.key);
    if (option == nullptr)
      return site::wrong_site_file(fmt::format("`fathom {}` has no option --{}{}", words.substr(0, words.size() - 1),
                                               excerpt(setting.key, 40), did_you_mean(setting.key, settable(*command))),
                                   setting.where);
    if (const std::string why = set_default(*option, setting); !why.empty())
      return site::wrong_site_file(fmt::format("{}: {}", setting.key, why), setting.where);
    sources_[option] = setting.where;
    return {};
  }

  SettingSources sources() && { return std::move(sources_); }

 private:
  static CLI::App* find(CLI::App& app, const std::string& word) {
    for (CLI::App* part : parts_of(app))
      if (part->get_name() == word) return part;
    return nullptr;
  }

  static void collect(CLI::App& app, std::vector<CLI::App*>& into) {
    into.push_back(&app);
    for (CLI::App* part : parts_of(app)) collect(*part, into);
  }

  /// Where a command knows the option and takes the value: --format of some commands has other words than that of others.
  Result<void> apply_to_all(const Setting& setting) {
    const bool machine = setting.table.front() == "machine";
    if (setting.table.size() > 1)
      return site::wrong_site_file(fmt::format("[{}] has no tables of its own", setting.table.front()), setting.table_where);
    if (machine && setting.key != "name" && setting.key != "peak")
      return site::wrong_site_file(fmt::format("[machine] has name and peak, not '{}'", excerpt(setting.key, 40)), setting.where);
    const std::string key = machine && setting.key == "name" ? "machine" : setting.key;
    std::vector<CLI::App*> commands;
    collect(app_, commands);
    std::vector<std::string> known;
    std::string why;
    bool taken = false;
    for (CLI::App* command : commands) {
      const auto names = settable(*command);
      known.insert(known.end(), names.begin(), names.end());
      CLI::Option* const option = option_named(*command, key);
      if (option == nullptr) continue;
      if (const std::string trouble = set_default(*option, setting); !trouble.empty()) {
        why = trouble;
        continue;
      }
      sources_[option] = setting.where;
      taken = true;
    }
    if (taken) return {};
    if (!why.empty()) return site::wrong_site_file(fmt::format("{}: {}", setting.key, why), setting.where);
    return site::wrong_site_file(fmt::format("no command has an option --{}{}", excerpt(key, 40), did_you_mean(key, known)), setting.where);
  }

  CLI::App& app_;
  SettingSources sources_;
};

bool is_general(const Setting& setting) { return setting.table.front() == "all" || setting.table.front() == "machine"; }

}  // namespace

Result<SettingSources> apply_site_files(CLI::App& app, const std::vector<site::SiteFile>& files) {
  Application application(app);
  for (const site::SiteFile& file : files)
    for (const bool general : {true, false})
      for (const Setting& setting : file.settings)
        if (is_general(setting) == general) TRY_VOID(application.apply(setting));
  return std::move(application).sources();
}

Result<std::vector<site::SiteFile>> read_site_files(const std::string& named) {
  std::vector<site::SiteFile> files;
  for (const std::string& path : site::site_file_paths(named)) {
    TRY(site::SiteFile file, site::read_site_file(path));
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<SettingInForce> settings_in_force(const CLI::App& command, const SettingSources& sources) {
  std::vector<SettingInForce> all;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->check_name("--help") || option->check_name("--version")) continue;
    const auto source = sources.find(option);
    const bool given = option->count() > 0;
    if (is_common(*option) && !given && source == sources.end()) continue;
    std::string value = given ? fmt::format("{}", fmt::join(option->results(), ",")) : option->get_default_str();
    if (value.empty() || value == "[]" || value == "{}") {
      if (takes_value(*option)) continue;  // not set
      value = "false";
    }
    all.push_back({option->get_name(), value, given ? "command line" : source != sources.end() ? source->second : "default"});
  }
  return all;
}

}  // namespace fathom
