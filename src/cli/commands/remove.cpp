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
  tell("{}: removed source {} ({}), {} samples and {} jobs\n", path, report.id, report.name, human_count(report.samples),
       human_count(report.jobs));
  for (const std::string& name : report.ingest_again)
    tell("notice: {} held some of the same samples or jobs, which are gone too: ingest it again to bring them back\n", name);
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
file that came first; a notice then says which file to ingest again.)",
    .examples = R"(  fathom info store
  fathom remove store 3)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
