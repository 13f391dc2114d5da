// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/completion.h"
#include "cli/man_page.h"
#include "criteria/criterion.h"
#include "ingest/reader.h"
#include "store/schema.h"
#include "synth/synth.h"
#include "trace_format/call.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view generated =
    "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
    "<!-- written by 'fathom docs' from the program's own descriptors; edit those -->\n";

Result<void> write(const fs::path& path, const std::string& text, std::string_view heading = generated) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  std::ofstream file(path);
  file << heading << text << std::flush;
  if (!file) return Error{ErrorKind::unwritable, fmt::format("writing {}: it failed", path.string())};
  return {};
}

/// Those that every command has stand once, in the list of commands.
std::string option_rows(const CLI::App& app, bool common = false) {
  std::string rows;
  for (const CLI::Option* option : app.get_options()) {
    if (is_common(*option) != common) continue;
    std::string name = option->get_positional() ? option->get_name(true) : option->get_name(false, true);
    if (!option->get_type_name().empty() && !option->get_positional() && option->get_items_expected_max() > 0)
      name += " " + option->get_type_name();
    for (std::size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2) name.replace(at, 1, "\\|");
    rows += fmt::format("| `{}` | {}{} |\n", name, option->get_description(), option->get_required() ? " (required)" : "");
  }
  return rows;
}

/// Arguments and examples; of a command made of several, each of them.
std::string usage_of(const Command& command, const CLI::App& app) {
  std::string text = fmt::format("Examples:\n```\n{}\n```\n", command.examples);
  if (command.parts == nullptr) return fmt::format("| argument | meaning |\n|---|---|\n{}\n{}", option_rows(app), text);
  for (const Command* part : command.parts()) {
    text += fmt::format("\n## fathom {} {}\n\n{}.\n\n{}\n\n{}", command.name, part->name, part->summary, part->details,
                        usage_of(*part, *app.get_subcommand(std::string(part->name))));
  }
  return text;
}

Result<void> write_commands(const fs::path& root) {
  std::function<Result<void>()> chosen;
  const auto app = make_app(chosen);
  std::string index = "# Commands\n";
  for (const CommandGroup& group : command_groups()) {
    index += fmt::format("\n## {}\n\n| command | does |\n|---|---|\n", group.title);
    for (const Command* command : group.commands) {
      const std::string name(command->name);
      const std::string_view ranks = command->ranks ? "\n\nRuns on several ranks: [scale-out](../scale-out.md)." : "";
      index += fmt::format("| [`fathom {0}`](commands/{0}.md) | {1} |\n", name, command->summary);
      TRY_VOID(
          write(root / "commands" / (name + ".md"), fmt::format("# fathom {}\n\n{}.\n\n{}{}\n\n{}", name, command->summary,
                                                                command->details, ranks, usage_of(*command, *app->get_subcommand(name)))));
    }
  }
  index += "\n## On every command\n\nBefore or behind its name.\n\n| argument | meaning |\n|---|---|\n" + option_rows(*app, true);
  index += "\nExit codes: 0 success, 1 failure, 2 wrong usage. Data goes to standard output, messages to standard error.\n";
  return write(root / "commands.md", index);
}

std::string columns_of(const Criterion& criterion) {
  std::string names;
  for (const ValueColumn& column : value_columns())
    if (column.criterion == &criterion) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", column.name);
  return names;
}

Result<void> write_criteria(const fs::path& root) {
  std::string page =
      "# The I/O criteria\n\nEach answers one question about a job, whatever was measured. Sources: D is S. El Sayed Mohamed, *Analysis of "
      "I/O Requirements of Scientific "
      "Applications*, dissertation, Wuppertal 2017; x is read, write or total. A value that a measurement cannot give is empty, and the "
      "analysis map of a job "
      "(`fathom criteria STORE --job ID`) says why. How increments become these numbers: [characterising](characterising.md).\n\n| id | "
      "criterion | symbol | from counters |\n|---|---|---|---|\n";
  for (const Criterion* c : all_criteria()) {
    const std::string why = missing(c->needs, counters_give);
    page += fmt::format("| {} | {} | {} | {} |\n", c->id, c->title, c->symbol, why.empty() ? "yes" : why);
  }
  for (const Criterion* c : all_criteria()) {
    page += fmt::format("\n## {} {}\n\n{}\n\n{}\n", c->id, c->title, c->question, c->formula);
    if (!c->caveats.empty()) page += fmt::format("\n*To keep in mind.* {}\n", c->caveats);
    if (const std::string columns = columns_of(*c); !columns.empty()) page += fmt::format("\nColumns: {}.\n", columns);
  }
  return write(root / "criteria.md", page);
}

Result<void> write_formats(const fs::path& root) {
  std::string index =
      "# Input formats\n\nRecognised by content; `fathom ingest --as NAME` forces one. Plain, `.gz` and `.zst`.\n\n| name | what "
      "|\n|---|---|\n";
  for (const Reader* reader : all_readers()) {
    index += fmt::format("| [`{0}`](formats/{0}.md) | {1} |\n", reader->name, reader->summary);
    TRY_VOID(write(root / "formats" / (std::string(reader->name) + ".md"),
                   fmt::format("# {}\n\n{}.\n\n{}\n\n```\n{}\n```\n", reader->name, reader->summary, reader->details, reader->example)));
  }
  return write(root / "formats.md", index);
}

Result<void> write_schema(const fs::path& root) {
  std::string text =
      "# Tables of a store\n\nParquet (zstd). Times are UTC with microseconds. How they fit together: [the store](store.md).\n";
  for (const TableSchema* table : all_tables()) {
    text += fmt::format("\n## {}\n\n{}. Files: `{}`{}\n\n| column | type | meaning |\n|---|---|---|\n", table->name, table->summary,
                        table->by_day ? fmt::format("{}/day=YYYY-MM-DD/*.parquet", table->name) : fmt::format("{}/*.parquet", table->name),
                        table->by_day ? fmt::format(" (the UTC day of `{}`)", table->day_column) : "");
    for (const ColumnSchema& column : table->columns)
      text += fmt::format("| `{}` | {} | {} |\n", column.name, sql_type(column.type), column.meaning);
  }
  return write(root / "schema.md", text);
}

Result<void> write_presets(const fs::path& root) {
  std::string text = "# Synthetic machines\n\n`fathom synth PRESET DIR` writes logs in the real formats and `truth/*.csv` beside them.\n";
  for (const SynthPreset* preset : all_presets())
    text += fmt::format("\n## {}\n\n{}.\n\n{}\n", preset->name, preset->summary, preset->details);
  return write(root / "synthetic.md", text);
}

Result<void> write_calls(const fs::path& root) {
  std::string text =
      "# Calls that are traced\n\nThe words of `fathom trace events`, and what each call does. Names with a dot are one function's "
      "different deeds, or the second file of a "
      "call that has two. How they stand in a file: [trace format](trace-format.md).\n";
  static constexpr std::string_view titles[] = {"POSIX and the C library", "MPI-IO", "HDF5", "PnetCDF"};
  for (std::size_t i = 0; i < trace::interface_names.size(); ++i) {
    text += fmt::format("\n## {} (`{}`)\n\n| call | operation | remark |\n|---|---|---|\n", titles[i], trace::interface_names[i]);
    for (const trace::CallInfo& call : trace::all_calls)
      if (static_cast<std::size_t>(call.interface) == i)
        text +=
            fmt::format("| `{}` | {} | {} |\n", call.name, trace::operation_names[static_cast<std::size_t>(call.operation)], call.remark);
  }
  return write(root / "calls.md", text);
}

/// What an installation has beside the program, below its prefix.
Result<void> write_share(const fs::path& prefix) {
  std::function<Result<void>()> chosen;
  const auto app = make_app(chosen);
  const fs::path pages = prefix / "share" / "man" / "man1";
  TRY_VOID(write(pages / "fathom.1", overview_man_page(*app), ""));
  for (const Command* command : all_commands())
    TRY_VOID(
        write(pages / fmt::format("fathom-{}.1", command->name), man_page(*command, *app->get_subcommand(std::string(command->name))), ""));
  for (const Shell& shell : all_shells()) TRY_VOID(write(prefix / shell.file, shell.script(*app), ""));
  return {};
}

Result<void> write_pages(const fs::path& root) {
  TRY_VOID(write_commands(root));
  TRY_VOID(write_formats(root));
  TRY_VOID(write_criteria(root));
  TRY_VOID(write_schema(root));
  TRY_VOID(write_calls(root));
  return write_presets(root);
}

std::function<Result<void>()> declare(CommandLine& line) {
  struct Options {
    std::string directory = "docs", share;
  };
  auto given = std::make_shared<Options>();
  line.add_option("DIR", given->directory, "the documentation's folder (default docs)");
  line.add_option("--share", given->share, "write pages for man and scripts of completion below this folder instead, as they are installed")
      .type_name("PREFIX");
  return [given]() -> Result<void> { return given->share.empty() ? write_pages(given->directory) : write_share(given->share); };
}

}  // namespace

namespace commands {
extern const Command docs;
constinit const Command docs{
    .name = "docs",
    .summary = "Write the documentation pages that come from the program itself",
    .details =
        R"(One page per command, input format, table and synthetic machine, from the same descriptors that the program uses. With --share the pages for
man and the scripts by which bash, zsh and fish complete: PREFIX/share/man/man1 and where these shells look.)",
    .examples = "  fathom docs docs\n  fathom docs --share ~/.local",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
