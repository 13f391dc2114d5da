// SPDX-License-Identifier: Apache-2.0
#include "store_export/export_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/progress.h"
#include "base/talk.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/export_readme.h"
#include "store_export/csv_files.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string store, folder, salt_file, shift = "0", format = "parquet";
  bool anonymise = false, llview = false;
};

constexpr std::uint64_t most_days = 36500;

/// A folder to write to: missing or empty, so that nobody gives away what was there before.
Result<void> can_be_written(const Options& given) {
  std::error_code problem;
  const fs::path folder = given.folder;
  if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
    return Error{ErrorKind::unwritable, fmt::format("exporting to {}: it is no directory", given.folder)};
  if (fs::exists(folder, problem) && !fs::is_empty(folder, problem))
    return Error{ErrorKind::unwritable, fmt::format("exporting to {}: the directory exists and is not empty", given.folder)};
  if (given.salt_file.empty()) return {};
  const fs::path inside = fs::weakly_canonical(given.salt_file, problem).lexically_relative(fs::weakly_canonical(folder, problem));
  if (!inside.empty() && *inside.begin() != "..")
    return Error{ErrorKind::usage,
                 fmt::format("exporting to {}: --salt-file {} lies in it, and would be given away with it", given.folder, given.salt_file)};
  return {};
}

/// Days to move times by; nothing: random.
Result<std::optional<int>> days_of(const std::string& text) {
  if (text == "random") return std::optional<int>{};
  const bool back = text.starts_with('-');
  const auto days = parse_u64(std::string_view(text).substr(back ? 1 : 0));
  if (!days || *days > most_days)
    return Error{ErrorKind::usage,
                 fmt::format("reading --shift-days {}: neither `random` nor a whole number of days, {} at most", text, most_days)};
  return std::optional(static_cast<int>(*days) * (back ? -1 : 1));
}

Result<Exported> write_export(const Snapshot& snapshot, const Options& given, const ExportOptions& options) {
  Exported exported;
  exported.pseudonyms = options.pseudonyms;
  exported.moved = options.shift_days != 0;
  const bool csv = given.format == "csv";
  // What is written beside the tables is written from their copy: it has nothing that they have not.
  const std::string tables = csv ? given.folder + "/.store" : given.folder;
  {
    Progress progress("copying tables");
    ExportOptions watched = options;
    watched.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    TRY(exported.tables, export_store(snapshot, tables, watched));
  }
  TRY(const Store copy, Store::open(tables));
  TRY(const Snapshot copied, copy.snapshot());
  if (csv) {
    TRY(CsvAccount account, write_csv_files(copied, given.folder));
    exported.csv = std::move(account);
  }
  if (given.llview) {
    TRY(const LlviewAccount account, write_llview_files(copy, given.folder));
    exported.llview = account;
  }
  if (csv) remove_quietly(tables);
  TRY_VOID(replace_file(given.folder + "/README.txt", export_readme(exported)));
  return exported;
}

Result<void> run(const Options& given) {
  TRY(const Store store, Store::open(given.store));
  TRY(const std::optional<int> fixed_days, days_of(given.shift));
  const bool needs_salt = given.anonymise || !fixed_days;
  if (!given.salt_file.empty() && !needs_salt)
    return Error{ErrorKind::usage, "exporting with --salt-file: it is for --anonymise and --shift-days random"};
  TRY_VOID(can_be_written(given));
  TRY(const Snapshot snapshot, store.snapshot());
  std::optional<Pseudonyms> pseudonyms;
  if (needs_salt) {
    TRY(const Salt salt, given.salt_file.empty() ? draw_salt() : salt_of_file(given.salt_file));
    pseudonyms.emplace(salt);
  }
  const int days = fixed_days ? *fixed_days : -pseudonyms->days_back();
  const bool was_there = fs::exists(given.folder);
  auto exported = write_export(snapshot, given, {.pseudonyms = given.anonymise ? &*pseudonyms : nullptr, .shift_days = days});
  if (!exported) {  // half an export is none
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(given.folder, ignored)) remove_quietly(entry.path());
    if (!was_there) remove_quietly(given.folder);
    return std::move(exported).error();
  }
  tell("{}", export_summary(*exported));
  if (days != 0) tell("times were moved by {} day{}\n", days, days == 1 || days == -1 ? "" : "s");
  tell("wrote {}; its README.txt says what is in it\n", given.folder);
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store").required();
  line.add_option("-o,--output", options->folder, "the folder to write, which must be empty or missing").required().type_name("DIR");
  line.add_flag("--anonymise", options->anonymise,
                "users, job names, job ids, servers, file systems, nodes, partitions, paths and commands become pseudonyms");
  line.add_option("--salt-file", options->salt_file,
                  "the secret behind the pseudonyms: made where it is missing, for you alone; exports with the same one agree")
      .type_name("FILE");
  line.add_option("--shift-days", options->shift, "move all times by so many days; random: 1 to 3650 days back, by the salt")
      .type_name("N|random");
  line.add_option("--format", options->format, "parquet (default): a store; csv: files for `fathom ingest`")
      .one_of({"parquet", "csv"})
      .type_name("FORMAT");
  line.add_flag("--llview", options->llview, "each job also as LLview keeps it (FSusage_JOB_all_node.dat), and its timeline as csv");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command export_store;
constinit const Command export_store{
    .name = "export",
    .summary = "Copy a store for others, with pseudonyms if you like",
    .details =
        R"(With --format parquet the export is a store, which every command reads. With --format csv it is jobs.csv and counters.csv, which `fathom ingest` reads again (--per-interval), and the other tables in tables/. A README.txt in it says what there is.

With --anonymise names become pseudonyms such as u-3f9a02c71e: a keyed hash (HMAC-SHA-256) of the name. The key is random and kept nowhere, so that nobody, you included, can turn pseudonyms back by trying names; with --salt-file it is kept there (mode 0600) and later exports
use the same pseudonyms. Declared details of applications (annotations) are free text, and are left out. Numbers stay as they are. --shift-days moves all times by the same number of days, which hides the date and keeps the time of day.

Numbers tell much to who knows something already: see docs/sharing.md before you give an export away.)",
    .examples = R"(  fathom export store -o copy
  fathom export store -o for-others --anonymise --shift-days random
  fathom export store -o may --anonymise --salt-file ~/.fathom-salt --format csv
  fathom export store -o jobs --anonymise --llview)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
