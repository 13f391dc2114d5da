// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <optional>

#include "base/talk.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/hdf5_process.h"
#include "cli/output.h"
#include "cli/site_settings.h"
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
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto word = [&](int n) { return n < argc ? std::string_view(argv[n]) : std::string_view{}; };
  int first = 1;  // behind what every command has
  while (word(first).starts_with("--") && app.get_option_no_throw(std::string(word(first))) != nullptr)
    first += word(first) == "--config" ? 2 : 1;
  const std::string_view first_word = word(first), second_word = word(first + 1);
  auto chosen = app.get_subcommands();
  if (chosen.empty())
    return fmt::format("{}\nTry: fathom --help",
                       first_word.starts_with('-') ? error.what() : no_command(first_word, fathom::all_commands()));
  std::string words = chosen.front()->get_name();
  for (const fathom::Command* command : fathom::all_commands())
    if (command->parts != nullptr && command->name == words && chosen.front()->get_subcommands().empty() && !second_word.empty() &&
        !second_word.starts_with('-'))
      return fmt::format("{0}: {1}\nTry: fathom {0} --help", words, no_command(second_word, command->parts()));
  for (chosen = chosen.front()->get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands())
    words += " " + chosen.front()->get_name();
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

/// Prints help and the like; gives the exit code.
int show(const std::string& text) {
  const auto written = speaks() ? fathom::write_text(text, {}) : fathom::Result<void>{};
  if (!written) fathom::print_error(written.error());
  return exit_code(written);
}

/// The command line as one of the program's commands, with the site's defaults.
class CommandLine {
 public:
  CommandLine(int argc, char** argv) : argc_(argc), argv_(argv) {}

  /// The exit code, where there is nothing left to do.
  std::optional<int> parse() {
    parse_with({});
    if (finished_) return finished_;
    if (wrong_.empty() && !chosen_) return {};  // nothing but help is wanted
    // A wrong line may name a configuration that makes it right: what must be given can be given there.
    fathom::CommonOptions common;
    if (const auto found = fathom::common_options(*app_)) common = *found;
    if (!reads_config()) {
      const auto files = fathom::read_site_files(common.config);
      if (!files) return fail(files.error());
      if (!files->empty()) parse_with(*files);
      if (finished_) return finished_;
    }
    if (!wrong_.empty()) return fail({fathom::ErrorKind::usage, wrong_});
    const auto in_force = fathom::common_options(*app_);
    if (!in_force) return fail(in_force.error());
    fathom::set_talk(in_force->talk);
    if (in_force->no_color) fathom::forbid_colours();
    return {};
  }

  const std::function<fathom::Result<void>()>& chosen() const { return chosen_; }
  std::string help() const { return app_->help(); }
  std::string command() const {
    std::string words;
    for (const CLI::App* app : fathom::chosen_apps(*app_)) words += (words.empty() ? "" : " ") + app->get_name();
    return words;
  }
  void tell_settings() const {
    for (const auto& setting : fathom::settings_in_force(*fathom::chosen_apps(*app_).back(), sources_))
      fathom::tell_step("{} {} ({})", setting.option, setting.value, setting.source);
  }

 private:
  static int fail(const fathom::Error& error) { return exit_code(fathom::fail_on_ranks(error)); }

  bool reads_config() const {
    const auto apps = fathom::chosen_apps(*app_);
    return apps.size() > 1 && std::any_of(fathom::all_commands().begin(), fathom::all_commands().end(), [&](const fathom::Command* each) {
             return each->reads_config && each->name == apps[1]->get_name();
           });
  }

  void parse_with(const std::vector<fathom::site::SiteFile>& files) {
    chosen_ = {};
    wrong_.clear();
    app_ = fathom::make_app(chosen_);
    auto applied = fathom::apply_site_files(*app_, files);
    if (!applied) {
      finished_ = fail(applied.error());
      return;
    }
    sources_ = *std::move(applied);
    try {
      app_->parse(argc_, argv_);
    } catch (const CLI::CallForHelp&) {
      finished_ = show(app_->help());
    } catch (const CLI::CallForVersion&) {
      finished_ = show(fathom::version_text());
    } catch (const CLI::ParseError& error) {
      wrong_ = usage_message(*app_, error, argc_, argv_);
    }
  }

  int argc_;
  char** argv_;
  std::function<fathom::Result<void>()> chosen_;
  std::unique_ptr<CLI::App> app_;
  fathom::SettingSources sources_;
  std::string wrong_;
  std::optional<int> finished_;
};

}  // namespace

int main(int argc, char** argv) {
  // A full file-size limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Columns of a few megabytes come and go: giving each back to the system at once costs a fault per page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  if (argc == 3 && std::string_view(argv[1]) == fathom::hdf5_rows_word) return fathom::run_as_hdf5_process(argv[2]);
  CommandLine line(argc, argv);
  if (const auto finished = line.parse()) return *finished;
  if (!line.chosen()) return show(line.help());
  if (speaks())
    line.tell_settings();
  else if (fathom::talk() == fathom::Talk::verbose)
    fathom::set_talk(fathom::Talk::usual);  // one rank tells the steps
  auto status = [&] {
    const fathom::Phase phase(line.command());
    return line.chosen()();
  }();
  if (status) status = fathom::flush_output();
  if (!status) fathom::print_error(status.error());
  return exit_code(status);
}
