// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "base/talk.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/output.h"
#include "cli/site_settings.h"

namespace fathom {
namespace {

struct Options {
  std::vector<std::string> command;
  std::string check;
  bool all = false;
};

void add_rows(Table& table, const std::string& words, const CLI::App& app, const SettingSources& sources, bool all) {
  for (const SettingInForce& setting : settings_in_force(app, sources))
    if (all || setting.source != "default")
      table.rows.push_back({cell(words), cell(setting.option), cell(setting.value), cell(setting.source)});
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; }))
    add_rows(table, words.empty() ? part->get_name() : words + " " + part->get_name(), *part, sources, all);
}

Result<void> check_file(const std::string& path) {
  TRY(const site::SiteFile file, site::read_site_file(path));
  std::function<Result<void>()> chosen;
  const auto app = make_app(chosen);
  TRY_VOID(apply_site_files(*app, {file}));
  tell("{}: {} setting{}, all known\n", path, file.settings.size(), file.settings.size() == 1 ? "" : "s");
  return {};
}

Result<void> run(const Options& given, const CLI::App& root, const OutputOptions& output) {
  if (!given.check.empty()) return check_file(given.check);
  TRY(const CommonOptions common, common_options(root));
  TRY(const auto files, read_site_files(common.config));
  std::function<Result<void>()> chosen;
  const auto app = make_app(chosen);
  TRY(const SettingSources sources, apply_site_files(*app, files));
  if (files.empty()) tell("no configuration: neither /etc/fathom/site.toml nor the user's fathom/site.toml exists\n");
  for (const site::SiteFile& file : files)
    tell("from {}: {} setting{}\n", file.path, file.settings.size(), file.settings.size() == 1 ? "" : "s");
  const CLI::App* shown = app.get();
  for (const std::string& word : given.command) {
    const auto found = shown->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (found.empty())
      return Error{ErrorKind::usage, fmt::format("config: there is no command '{}'\nTry: fathom --help", fmt::join(given.command, " "))};
    shown = found.front();
  }
  Table table{{{"command"}, {"option"}, {"value"}, {"source"}}, {}};
  add_rows(table, fmt::format("{}", fmt::join(given.command, " ")), *shown, sources, given.all || !given.command.empty());
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Options>();
  line.add_option("COMMAND", given->command,
                  "one command (or trace PART): all of its options with what is in force; else what the files set");
  line.add_option("--check", given->check, "only say whether this file is a configuration without mistakes").type_name("FILE");
  line.add_flag("--all", given->all, "all options of all commands, also those that no file sets");
  auto output = add_output_options(line);
  return [given, output, root = line.app().get_parent()] { return run(*given, *root, *output); };
}

}  // namespace

namespace commands {
extern const Command config;
constinit const Command config{
    .name = "config",
    .summary = "The site's configuration: which defaults are in force, and where each comes from",
    .details =
        R"(A configuration is a TOML file. A table is named like a command (criteria, or trace.summary) and holds defaults of its options, without
the hyphens in front; [all] holds them for every command that has such an option and takes the value. [machine] has the name of the
machine and its peak bandwidth, for every command that asks (--machine, --peak). What stands on the command line is stronger.

Read are /etc/fathom/site.toml, then $XDG_CONFIG_HOME/fathom/site.toml (or ~/.config/fathom/site.toml), which is stronger; or else the one
file that --config or the variable FATHOM_CONFIG names. FATHOM_CONFIG=/dev/null: none. An unknown command or option, or a value that the
option does not take, is refused with its line. What is given by its place (STORE) is always given.

  [machine]
  name = "our machine"
  peak = "66G"

  [all]
  threads = 8

  [criteria]
  threshold = "128K"
  min-runtime = 600

Columns: command, option, value, source (FILE:LINE, or default).)",
    .examples = "  fathom config\n  fathom config criteria\n  fathom config --check site.toml",
    .declare = declare,
    .reads_config = true};
}  // namespace commands
}  // namespace fathom
