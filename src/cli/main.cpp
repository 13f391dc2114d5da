// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <csignal>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"

namespace {

/// What was wrong on the command line, and where to read on.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, std::string_view first_word) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) return fmt::format("{0}: {1}\nTry: fathom {0} --help", chosen.front()->get_name(), error.what());
  if (first_word.starts_with('-')) return fmt::format("{}\nTry: fathom --help", error.what());
  std::vector<std::string_view> names;
  for (const fathom::Command* command : fathom::all_commands()) names.push_back(command->name);
  const std::string_view close = fathom::closest_word(first_word, names);
  const std::string hint = close.empty() ? "" : fmt::format("; did you mean '{}'?", close);
  return fmt::format("there is no command '{}'{}\nTry: fathom --help", first_word, hint);
}

}  // namespace

int main(int argc, char** argv) {
  // A full file-size limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Columns of a few megabytes come and go: giving each back to the system at once costs a fault per page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  std::function<fathom::Result<void>()> chosen;
  const auto app = fathom::make_app(chosen);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    fmt::print("fathom " FATHOM_VERSION "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "fathom: {}\n", usage_message(*app, error, argc > 1 ? argv[1] : ""));
    return 2;
  }
  if (!chosen) {
    fmt::print("{}", app->help());
    return argc > 1 ? 2 : 0;
  }
  const auto status = chosen();
  if (status) return 0;
  fmt::print(stderr, "fathom: {}\n", status.error().message);
  return status.error().kind == fathom::ErrorKind::usage ? 2 : 1;
}
