// SPDX-License-Identifier: Apache-2.0
// The one list of commands: a new one is its own file in this folder and its line here, at its place in --help.
// clang-format off
#define FATHOM_COMMANDS(listed) \
  listed(demo) \
  listed(synth) \
  listed(ingest) \
  listed(collect) \
  listed(info) \
  listed(top) \
  listed(jobs) \
  listed(criteria) \
  listed(population) \
  listed(timeline) \
  listed(bursts) \
  listed(period) \
  listed(mine) \
  listed(apps) \
  listed(load) \
  listed(advise) \
  listed(train) \
  listed(annotate) \
  listed(report) \
  listed(serve) \
  listed(trace) \
  listed(slices) \
  listed(compete) \
  listed(simulate) \
  listed(fit) \
  listed(check) \
  listed(compact) \
  listed(forget) \
  listed(remove) \
  listed(bench) \
  listed(run) \
  listed(ranks) \
  listed(completion) \
  listed(docs)

// clang-format on
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/help.h"
#include "ranks/launcher.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace commands {
#define DECLARED(name) extern const Command name;
FATHOM_COMMANDS(DECLARED)
}  // namespace commands

std::span<const Command* const> all_commands() {
#define POINTER(name) &commands::name,
  static const Command* const all[] = {FATHOM_COMMANDS(POINTER)};
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

void add_command(CLI::App& app, const Command& command, std::function<Result<void>()>& chosen) {
  CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
  sub->group("Commands");
  sub->footer(fmt::format("{}\n\nExamples:\n{}", command.details, command.examples));
  if (command.parts != nullptr) {
    sub->require_subcommand(1);
    for (const Command* part : command.parts()) add_command(*sub, *part, chosen);
    return;
  }
  sub->final_callback([&chosen, &command, run = command.declare(*sub)] {
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
  app->formatter(help_formatter());  // subcommands take it over
  app->set_help_flag("-h,--help", "show this help");
  app->footer("Every command has its own --help with examples. Data goes to standard output, messages to standard error.");
  for (const Command* command : all_commands()) add_command(*app, *command, chosen);
  return app;
}

}  // namespace fathom
