// SPDX-License-Identifier: Apache-2.0
// The one list of commands: a new one is its own file in this folder and its name here.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/help.h"
#include "ranks/launcher.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace commands {
extern const Command demo, synth, ingest, collect, info, top, jobs, criteria, population, timeline, bursts, period, mine, apps, load, advise, train, annotate, report, serve, trace, slices, compete, simulate, fit, check, compact, forget, remove, bench, run, ranks, completion, docs;
}

std::span<const Command* const> all_commands() {
  using namespace commands;
  static const Command* const all[] = {&demo, &synth, &ingest, &collect, &info, &top, &jobs, &criteria, &population, &timeline, &bursts, &period, &mine, &apps, &load, &advise, &train, &annotate, &report, &serve, &trace, &slices, &compete, &simulate, &fit, &check, &compact, &forget, &remove, &bench, &run, &ranks, &completion, &docs};
  return all;
}

namespace {

/// One that knows nothing of ranks would do its work several times at once, into the same files.
Result<void> refuse_several_ranks(const Command& command) {
  const auto launcher = find_launcher(process_environment());
  if (command.ranks || !launcher || launcher->size <= 1) return {};
  return fail_on_ranks({ErrorKind::usage, fmt::format("`fathom {}` does not run on several ranks: start it without {} (or set FATHOM_MPI=none)",
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
