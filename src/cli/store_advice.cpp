// SPDX-License-Identifier: Apache-2.0
#include "cli/store_advice.h"

#include <fmt/format.h>

#include <cmath>

#include "store_advice/asking.h"

namespace fathom {
namespace {

Table as_rows(const advise::Advice& advice) {
  Table table{{{"advice"}, {"reason"}, {"filesystem"}, {"servers", Quantity::count}, {"score", Quantity::real}, {"limit", Quantity::real}},
              {}};
  const std::string verdict = advice.verdict == advise::Verdict::run ? "run" : "delay";
  if (advice.partitions.empty()) table.rows.push_back({cell(verdict), cell(advice.reason), {}, {}, {}, {}});
  for (const advise::PartitionView& each : advice.partitions)
    table.rows.push_back({cell(verdict), cell(advice.reason), cell(each.filesystem), cell(std::uint64_t{each.servers}),
                          each.servers > 0 ? cell(each.score) : Cell{},
                          each.servers > 0 && std::isfinite(each.limit.score) ? cell(each.limit.score) : Cell{}});
  return table;
}

}  // namespace

std::shared_ptr<StoreAdviceArguments> add_store_advice_options(CommandLine& line) {
  auto given = std::make_shared<StoreAdviceArguments>();
  line.add_option("STORE", given->store, "the store with counters, jobs and what was mined of them");
  line.add_option("--user", given->user, "of the job that could start").type_name("U");
  line.add_option("--name", given->name, "its name").type_name("N");
  line.add_option("--nodes", given->nodes, "its nodes").type_name("K");
  line.add_option("--at", given->at, "as things were at this time (ISO 8601 or Unix seconds; default: the end of the counters)")
      .type_name("T");
  line.add_option("--delayed-since", given->delayed_since, "the first `delay` for this job was given then").type_name("T");
  return given;
}

Result<void> advise_from_store(const StoreAdviceArguments& given, const AdviceArguments& advice, const FindApplication& find,
                               const OutputOptions& output) {
  if (given.store.empty() || given.user.empty() || given.name.empty() || given.nodes == 0)
    return Error{ErrorKind::usage, "advising: a job is given by STORE, --user, --name and --nodes; or give --replay"};
  Time at = no_time, since = no_time;
  if (!given.at.empty()) {
    TRY(at, parse_time_argument(given.at, "--at"));
  }
  if (!given.delayed_since.empty()) {
    TRY(since, parse_time_argument(given.delayed_since, "--delayed-since"));
  }
  TRY(const advise::Trained trained, advise::weights_of(advice.weights));
  TRY(const Store store, Store::open(given.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const StoreAdvice asked,
      ask_for_advice(snapshot, {given.user, given.name, given.nodes, at, since}, trained, advice.settings(), find));
  const advise::Advice& found = asked.advice;
  if (output.format == "table")
    return write_text(fmt::format("{}: {}\n", found.verdict == advise::Verdict::run ? "run" : "delay", found.reason), output);
  return write_table(as_rows(found), output);
}

}  // namespace fathom
