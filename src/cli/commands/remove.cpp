// SPDX-License-Identifier: Apache-2.0
#include "ingest/remove.h"

#include <fmt/format.h>

#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"

namespace fathom {
namespace {

Result<void> run(const std::string& path, const std::string& source) {
  TRY(const Store store, Store::open(path));
  TRY(Transaction transaction, store.begin({}, [&] { tell("fathom: waiting: another process writes to {}\n", path); }));
  TRY(const RemoveReport report, remove_source(transaction, source));
  tell("{}: removed source {} ({}): {} sample{}, {} job{}\n", path, report.id, report.name, human_count(report.samples),
       report.samples == 1 ? "" : "s", human_count(report.jobs), report.jobs == 1 ? "" : "s");
  for (const std::string& name : report.ingest_again)
    tell("notice: {} told some samples or jobs that another file told too; if they are gone now, ingesting it again brings them back\n",
         name);
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  struct Options {
    std::string store, source;
  };
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store").required();
  line.add_option("SOURCE", options->source, "its id or name, as 'fathom info' lists them").required();
  return [options] { return run(options->store, options->source); };
}

}  // namespace

namespace commands {
extern const Command remove;
constinit const Command remove{
    .name = "remove",
    .summary = "Take a wrong ingest out again",
    .details = R"(Removes what one file brought: its samples (the increments around them are made anew from what is left), its resets and
its jobs. A name that several sources share must be given by id. Samples that another file held as well belong to the
file that came first, or of two that contradict each other to the one with the larger; jobs to the one that tells more of them. A
notice then says which file to ingest again.)",
    .examples = R"(  fathom info store
  fathom remove store 3)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
