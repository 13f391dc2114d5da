// SPDX-License-Identifier: Apache-2.0
#include "store/compact.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"

namespace fathom {
namespace {

Result<void> run(const std::string& path) {
  TRY(const Store store, Store::open(path));
  TRY(Transaction transaction, store.begin({}, [&] { tell("fathom: waiting: another process writes to {}\n", path); }));
  const auto compacted = [&] {
    Progress progress("merging segments", Progress::Unit::share);
    return compact(transaction, {}, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); });
  }();
  TRY(const CompactReport report, compacted);
  tell("{}: {} ({}) became {} ({})\n", path, counted(report.segments_before, "segment"),
       human_bytes(static_cast<double>(report.bytes_before)), human_count(report.segments_after),
       human_bytes(static_cast<double>(report.bytes_after)));
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto store = std::make_shared<std::string>();
  line.add_option("STORE", *store, "the store").required();
  return [store] { return run(*store); };
}

}  // namespace

namespace commands {
extern const Command compact;
constinit const Command compact{
    .name = "compact",
    .summary = "Merge small segments: one per table and day",
    .details = R"(Every ingest adds segments (Parquet files), so hourly ingests leave thousands. With one per table and day queries are
faster and the store is smaller; the content stays the same. Readers go on meanwhile; a kill leaves the old or the new.)",
    .examples = "  fathom compact store",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
