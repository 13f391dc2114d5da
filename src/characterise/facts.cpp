// SPDX-License-Identifier: Apache-2.0
#include "characterise/facts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "characterise/workers.h"
#include "model/increment.h"

namespace fathom {
namespace {

/// To the second; to the millisecond below 10 s.
std::int64_t rounded(std::int64_t length) {
  return length < 10'000'000 ? (length + 500) / 1000 * 1000 : (length + 500'000) / 1'000'000 * 1'000'000;
}

}  // namespace

void LengthCounts::add(std::int64_t length, std::uint64_t count) {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].first != length) continue;
    classes_[i].second += count;
    if (i > 0) std::swap(classes_[i], classes_[i - 1]);  // what is frequent comes to the front
    return;
  }
  classes_.emplace_back(length, count);
}

void LengthCounts::add(const LengthCounts& other) {
  for (const auto& [length, count] : other.classes_) add(length, count);
}

std::int64_t LengthCounts::median() const {
  auto sorted = classes_;
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t all = 0, below = 0;
  for (const auto& [length, count] : sorted) all += count;
  for (const auto& [length, count] : sorted) {
    below += count;
    if (below * 2 >= all) return length;
  }
  return 0;
}

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
  IncrementFacts all;
  struct Own {
    SeriesIndex index;
    std::vector<LengthCounts> lengths;
    std::map<std::int32_t, std::map<std::string, TimeRange>> days;
    std::uint64_t increments = 0;
  };
  std::vector<Own> own(threads);
  TRY_VOID(work_on_days(days, threads, progress, [&](Database& database, unsigned thread, std::int32_t day) -> Result<void> {
    Own& mine = own[thread];
    auto& ranges = mine.days[day];
    return scan_increments(snapshot, database, day, mine.index, {.amounts = false}, [&](const IncrementRun& run) {
      if (run.series >= mine.lengths.size()) mine.lengths.resize(run.series + 1);
      LengthCounts& lengths = mine.lengths[run.series];
      TimeRange range;
      // Equal lengths follow each other: count them before looking for their class.
      std::int64_t length = -1;
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < run.size; ++i) {
        range.add(run.start[i], run.end[i]);
        if ((run.flags[i] & unmeasured_flags) != 0) continue;
        const std::int64_t next = rounded(run.end[i] - run.start[i]);
        if (next == length) {
          ++count;
          continue;
        }
        if (count > 0) lengths.add(length, count);
        length = next;
        count = 1;
      }
      if (count > 0) lengths.add(length, count);
      ranges[mine.index.names()[run.series].server].add(range.from, range.to);
      mine.increments += run.size;
    });
  }));
  for (const Own& mine : own) {
    for (std::size_t s = 0; s < mine.lengths.size(); ++s) all.lengths[mine.index.names()[s]].add(mine.lengths[s]);
    for (const auto& [day, servers] : mine.days)
      for (const auto& [server, range] : servers) all.days[day][server].add(range.from, range.to);
    all.increments += mine.increments;
  }
  return all;
}

}  // namespace fathom
