// SPDX-License-Identifier: Apache-2.0
// The one list of commands: a new one is its own file in this folder and its line here, in its group of --help.
// clang-format off
#define FATHOM_COMMANDS(group, listed) \
  group("Try it out") \
  listed(demo) \
  listed(synth) \
  listed(bench) \
  group("Measure") \
  listed(ingest) \
  listed(collect) \
  listed(run) \
  group("Look") \
  listed(info) \
  listed(top) \
  listed(jobs) \
  listed(summary) \
  listed(timeline) \
  listed(trace) \
  listed(slices) \
  listed(serve) \
  listed(report) \
  group("Understand") \
  listed(criteria) \
  listed(population) \
  listed(bursts) \
  listed(period) \
  listed(mine) \
  listed(apps) \
  listed(compete) \
  group("Decide") \
  listed(load) \
  listed(advise) \
  listed(train) \
  listed(simulate) \
  listed(fit) \
  group("Look after a store") \
  listed(annotate) \
  listed(check) \
  listed(compact) \
  listed(export_store) \
  listed(forget) \
  listed(remove) \
  listed(config) \
  group("Help") \
  listed(ranks) \
  listed(completion) \
  listed(docs)

// clang-format on
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/help.h"
#include "ranks/launcher.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace commands {
#define NO_GROUP(title)
#define DECLARED(name) extern const Command name;
FATHOM_COMMANDS(NO_GROUP, DECLARED)
}  // namespace commands

std::span<const CommandGroup> command_groups() {
  static const std::vector<CommandGroup> all = [] {
    std::vector<CommandGroup> groups;
#define BEGUN(title) groups.push_back({title, {}});
#define TAKEN(name) groups.back().commands.push_back(&commands::name);
    FATHOM_COMMANDS(BEGUN, TAKEN)
    return groups;
  }();
  return all;
}

std::span<const Command* const> all_commands() {
#define POINTER(name) &commands::name,
  static const Command* const all[] = {FATHOM_COMMANDS(NO_GROUP, POINTER)};
  return all;
}

namespace {

/// One that knows nothing of ranks would do its work several times at once, into the same files.
Result<void> refuse_several_ranks(const Command& command) {
  const auto launcher = find_launcher(process_environment());
  if (command.ranks || !launcher || launcher->size <= 1) return {};
  return fail_on_ranks(
      {ErrorKind::usage, fmt::format("`fathom {}` does not run on several ranks: start it without {} (or set FATHOM_MPI=none)",
                                     command.name, launcher->name)});
}

void add_command(CLI::App& app, std::string_view group, const Command& command, std::function<Result<void>()>& chosen) {
  CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
  sub->group(std::string(group));
  sub->footer(fmt::format("{}\n\nExamples:\n{}", command.details, command.examples));
  if (command.parts != nullptr) {
    sub->require_subcommand(1);
    for (const Command* part : command.parts()) add_command(*sub, "Commands", *part, chosen);
    add_common_options(*sub);
    return;
  }
  CommandLine line(*sub);
  auto declared = command.declare(line);
  add_common_options(*sub);
  sub->final_callback([&chosen, &command, run = std::move(declared)] {
    chosen = [&command, run]() -> Result<void> {
      TRY_VOID(refuse_several_ranks(command));
      return run();
    };
  });
}

}  // namespace

std::unique_ptr<CLI::App> make_app(std::function<Result<void>()>& chosen) {
  auto app = std::make_unique<CLI::App>("Fathom tells what file systems and jobs do to each other, and what to change.", "fathom");
  app->set_version_flag("--version", "fathom " FATHOM_VERSION, "show the version");
  app->require_subcommand(0, 1);
  app->option_defaults()->always_capture_default();  // so that defaults can be told
  app->formatter(help_formatter());                  // subcommands take it over
  app->set_help_flag("-h,--help", "show this help");
  add_common_options(*app);
  app->footer(R"(To begin:
  fathom demo                    a made-up machine, measured, understood and shown in a browser
  fathom ingest STORE LOGS...    counters and job logs of a machine of your own into a store
  fathom serve STORE             look at them

Every command has its own --help with examples. Data goes to standard output, messages to standard error.
Pages that are named docs/... are in share/doc/fathom where the program is installed.)");
  for (const CommandGroup& group : command_groups())
    for (const Command* command : group.commands) add_command(*app, group.title, *command, chosen);
  return app;
}

}  // namespace fathom
