// SPDX-License-Identifier: Apache-2.0
#include "characterise/facts.h"

#include <nlohmann/json.hpp>

#include "characterise/workers.h"

namespace fathom {

void IncrementFacts::add(const IncrementFacts& other) {
  for (const auto& [name, counts] : other.lengths) lengths[name].add(counts);
  for (const auto& [day, servers] : other.days)
    for (const auto& [server, range] : servers) days[day][server].add(range.from, range.to);
  increments += other.increments;
}

std::string IncrementFacts::packed() const {
  nlohmann::json document{{"increments", increments}, {"lengths", nlohmann::json::array()}, {"days", nlohmann::json::array()}};
  for (const auto& [name, counts] : lengths) document["lengths"].push_back({name.server, name.filesystem, name.job, counts.classes()});
  for (const auto& [day, servers] : days)
    for (const auto& [server, range] : servers) document["days"].push_back({day, server, range.from, range.to});
  const auto bytes = nlohmann::json::to_cbor(document);
  return {bytes.begin(), bytes.end()};
}

Result<IncrementFacts> IncrementFacts::unpacked(std::string_view text) {
  IncrementFacts facts;
  const auto document = nlohmann::json::from_cbor(text, true, false);
  if (!document.is_object()) return Error{ErrorKind::malformed, "reading what another process found: not understood"};
  facts.increments = document["increments"];
  for (const auto& row : document["lengths"]) {
    auto& counts = facts.lengths[SeriesName{row[0], row[1], row[2]}];
    for (const auto& each : row[3]) counts.add(each[0].get<std::int64_t>(), each[1].get<std::uint64_t>());
  }
  for (const auto& row : document["days"]) facts.days[row[0].get<std::int32_t>()][row[1].get<std::string>()].add(row[2], row[3]);
  return facts;
}

Result<IncrementFacts> gather_facts(const Snapshot& snapshot, const std::vector<std::int32_t>& days, unsigned threads,
                                    const std::function<void(std::size_t done)>& progress) {
  std::vector<IncrementFacts> own(threads);
  TRY_VOID(work_on_days(days, threads, progress, [&](Database& database, unsigned thread, std::int32_t day) -> Result<void> {
    TRY(const TimesBySeries times, read_times(database, snapshot.files_of(increments_table, day, day)));
    IncrementFacts& mine = own[thread];
    for (const auto& [name, each] : times) {
      mine.lengths[name].add(each.lengths);
      mine.days[day][name.server].add(each.range.from, each.range.to);
      mine.increments += each.increments;
    }
    return {};
  }));
  IncrementFacts all;
  for (const IncrementFacts& mine : own) all.add(mine);
  return all;
}

}  // namespace fathom
