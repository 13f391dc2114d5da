// SPDX-License-Identifier: Apache-2.0
#include "store/forget.h"

#include <fmt/format.h>

#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"

namespace fathom {
namespace {

Result<void> run(const std::string& path, const std::string& before) {
  TRY(const Time t, parse_time_argument(before, "--before"));
  TRY(const Store store, Store::open(path));
  TRY(Transaction transaction, store.begin({}, [&] { tell("fathom: waiting: another process writes to {}\n", path); }));
  TRY(const ForgetReport report, forget(transaction, day_of(t)));
  tell("{}: forgot {} in {} from before {}\n", path, counted(report.rows, "row"), counted(report.segments, "segment"),
       format_day(day_of(t)));
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  struct Options {
    std::string store, before;
  };
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store").required();
  line.add_option("--before", options->before, "the first day to keep (UTC): 2011-01-01, or any time on it").required().type_name("T");
  return [options] { return run(options->store, options->before); };
}

}  // namespace

namespace commands {
extern const Command forget;
constinit const Command forget{
    .name = "forget",
    .summary = "Drop old days (retention)",
    .details =
        R"(Drops the counters of all UTC days before the day of T, and jobs that ended before it. Later ingests leave out samples from
before that day, so that old logs do not bring them back. This cannot be undone.)",
    .examples = "  fathom forget store --before 2011-01-01",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
