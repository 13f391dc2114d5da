// SPDX-License-Identifier: Apache-2.0
#include "ingest/check.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"

namespace fathom {
namespace {

Result<void> run(const std::string& path) {
  TRY(const Store store, Store::open(path));
  const auto checked = [&] {
    Progress progress("checking");
    return check_store(store, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); });
  }();
  TRY(const CheckReport report, checked);
  for (const std::string& problem : report.problems) fmt::print("{}\n", problem);
  for (const std::string& remark : report.remarks) tell("notice: {}\n", remark);
  if (!report.problems.empty())
    return Error{ErrorKind::damaged, fmt::format("checking store {}: {} found", path, counted(report.problem_count, "problem"))};
  tell("{}: {} and {} checked, all is well\n", path, counted(report.segments, "segment"), counted(report.increments, "increment"));
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto store = std::make_shared<std::string>();
  line.add_option("STORE", *store, "the store").required();
  return [store] { return run(*store); };
}

}  // namespace

namespace commands {
extern const Command check;
constinit const Command check{
    .name = "check",
    .summary = "Verify a store: its files, and that its numbers agree with each other",
    .details = R"(Reads everything once and changes nothing. Every segment must be there with the size and hash that the manifest names;
no interval may overlap another of its series; and each raw sample that the store keeps must be the one before it plus
the increments between them. Exit code 1 when anything is wrong.)",
    .examples = "  fathom check store",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
