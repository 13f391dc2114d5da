// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "characterise/annotations.h"
#include "cli/command.h"
#include "cli/output.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

/// Words that some keys are limited to; several may be given with commas.
std::set<std::string> words_of(std::string_view key) {
  if (key == "purpose") return {"compulsory", "checkpoint", "out-of-core", "workflow"};
  if (key == "task_dependency") return {"coupled", "decoupled-in-space", "decoupled-in-time"};
  return {};
}

std::string keys() {
  std::string names;
  for (const Criterion* criterion : all_criteria())
    if (criterion->id.starts_with("4.")) names += fmt::format("{}{}", names.empty() ? "" : ", ", criterion->name);
  return names;
}

Result<std::map<std::string, std::string>> parse(const std::vector<std::string>& given) {
  std::map<std::string, std::string> changes;
  for (const std::string& each : given) {
    const std::size_t equals = each.find('=');
    const std::string key = each.substr(0, equals);
    if (equals == std::string::npos) return Error{ErrorKind::usage, fmt::format("reading {}: not of the form KEY=VALUE", each)};
    const auto known = std::find_if(all_criteria().begin(), all_criteria().end(),
                                    [&](const Criterion* c) { return c->id.starts_with("4.") && c->name == key; });
    if (known == all_criteria().end())
      return Error{ErrorKind::usage, fmt::format("declaring {}: there is no such detail; there are: {}", key, keys())};
    const std::string value = each.substr(equals + 1);
    if (const auto words = words_of(key); !words.empty() && !value.empty()) {
      for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t comma = std::min(value.find(',', begin), value.size());
        if (!words.contains(value.substr(begin, comma - begin))) {
          std::string list;
          for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
          return Error{ErrorKind::usage, fmt::format("declaring {}: '{}' is not one of {}", key, value.substr(begin, comma - begin), list)};
        }
        begin = comma + 1;
      }
    }
    changes[key] = value;
  }
  return changes;
}

struct Options {
  std::string store, application;
  std::vector<std::string> details;
};

Result<void> run(const Options& given, const OutputOptions& output) {
  TRY(const auto changes, parse(given.details));
  TRY(const Store store, Store::open(given.store));
  if (!changes.empty()) {
    if (given.application.empty())
      return Error{ErrorKind::usage, "declaring details: needs --app NAME, the name of the application's jobs"};
    TRY_VOID(change_annotations(store, given.application, changes));
  }
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({}));
  TRY(const AnnotationBook book, read_annotations(snapshot, database));
  Table table{{{"app"}, {"key"}, {"value"}}, {}};
  for (const auto& [application, details] : book)
    for (const auto& [key, value] : details)
      if (given.application.empty() || application == given.application) table.rows.push_back({cell(application), cell(key), cell(value)});
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store").required();
  line.add_option("--app", options->application, "the application: the name of its jobs").type_name("NAME");
  line.add_option("DETAILS", options->details, "KEY=VALUE; an empty value takes it back; without any, what is declared is listed")
      .type_name("KEY=VALUE");
  auto output = add_output_options(line);
  return [options, output] { return run(*options, *output); };
}

}  // namespace

namespace commands {
extern const Command annotate;
constinit const Command annotate{
    .name = "annotate",
    .summary = "Declare what no counter can tell about an application",
    .details = R"(Category 4 of the criteria: declared, not measured. Shown in the analysis map of the application's jobs.
  problem_size      how its data grows with the problem
  libraries         libraries and interfaces it uses for I/O
  willingness       whether its I/O can and will be changed
  purpose           compulsory, checkpoint, out-of-core, workflow; several with commas
  task_dependency   coupled, decoupled-in-space, decoupled-in-time)",
    .examples = R"(  fathom annotate store --app climate libraries=netCDF,HDF5 purpose=compulsory,checkpoint
  fathom annotate store --app climate willingness=
  fathom annotate store)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
