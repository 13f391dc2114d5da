// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <csignal>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/hdf5_process.h"
#include "cli/version.h"
#include "hdf5_rows/hdf5_rows.h"
#include "ranks/launcher.h"
#include "ranks/on_ranks.h"

namespace {

/// "there is no command 'evnts'; did you mean 'events'?"
std::string no_command(std::string_view word, std::span<const fathom::Command* const> commands) {
  std::vector<std::string_view> names;
  for (const fathom::Command* command : commands) names.push_back(command->name);
  const std::string_view close = fathom::closest_word(word, names);
  return fmt::format("there is no command '{}'{}", word, close.empty() ? "" : fmt::format("; did you mean '{}'?", close));
}

/// What was wrong on the command line, and where to read on.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, std::string_view first_word, std::string_view second_word) {
  auto chosen = app.get_subcommands();
  if (chosen.empty()) return fmt::format("{}\nTry: fathom --help", first_word.starts_with('-') ? error.what() : no_command(first_word, fathom::all_commands()));
  std::string words = chosen.front()->get_name();
  for (const fathom::Command* command : fathom::all_commands())
    if (command->parts != nullptr && command->name == words && chosen.front()->get_subcommands().empty() && !second_word.empty() && !second_word.starts_with('-'))
      return fmt::format("{0}: {1}\nTry: fathom {0} --help", words, no_command(second_word, command->parts()));
  for (chosen = chosen.front()->get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands()) words += " " + chosen.front()->get_name();
  return fmt::format("{0}: {1}\nTry: fathom {0} --help", words, error.what());
}

/// Help goes out once, whatever number of ranks was started.
bool speaks() {
  const auto launcher = fathom::find_launcher(fathom::process_environment());
  return !launcher || launcher->rank == 0;
}

int exit_code(const fathom::Result<void>& status) {
  if (status) return 0;
  if (status.error().kind == fathom::ErrorKind::interrupted) return 128 + SIGINT;  // as shells have it
  return status.error().kind == fathom::ErrorKind::usage ? 2 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // A full file-size limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Columns of a few megabytes come and go: giving each back to the system at once costs a fault per page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  if (argc == 3 && std::string_view(argv[1]) == fathom::hdf5_rows_word) return fathom::run_as_hdf5_process(argv[2]);
  std::function<fathom::Result<void>()> chosen;
  const auto app = fathom::make_app(chosen);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (speaks()) fmt::print("{}", app->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    if (speaks()) fmt::print("{}", fathom::version_text());
    return 0;
  } catch (const CLI::ParseError& error) {
    return exit_code(fathom::fail_on_ranks({fathom::ErrorKind::usage, usage_message(*app, error, argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "")}));
  }
  if (!chosen) {
    if (speaks()) fmt::print("{}", app->help());
    return argc > 1 ? 2 : 0;
  }
  const auto status = chosen();
  if (!status) fathom::print_error(status.error());
  return exit_code(status);
}
