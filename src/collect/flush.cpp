// SPDX-License-Identifier: Apache-2.0
#include "collect/flush.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ingest/merger.h"
#include "ingest/sources.h"
#include "store/compact.h"

namespace fathom {
namespace {

/// A day's segments are merged when so many have come together: with a flush a minute, about once in an hour.
constexpr std::size_t crowded = 64;

/// A collector takes little of a machine that has other work.
constexpr DatabaseOptions small_database() { return {.threads = 1, .memory_limit = std::size_t{256} << 20, .scratch_directory = {}}; }

}  // namespace

Result<MergeCounts> flush(const Store& store, Batch batch, std::span<const SourceLabel> labels, Time now, ServerSharing sharing,
                          const std::function<void()>& waiting) {
  MergeCounts total;
  if (batch.empty()) return total;
  TRY(Transaction transaction, store.begin(small_database(), waiting));
  std::map<SourceId, SourceRecord> records;  // by place in labels
  auto record_of = [&](SourceId place) -> SourceRecord& { return records.try_emplace(place).first->second; };
  for (const Sample& sample : batch.samples) ++record_of(sample.source).account.samples;
  for (const Mark& mark : batch.marks) ++record_of(mark.source).account.marks;
  SourceId next = transaction.manifest().next_source;
  for (auto& [place, record] : records) {
    const SourceLabel& label = labels[place - 1];
    const ReadAccount fresh = record.account;
    TRY(record, source_so_far(transaction, fmt::format("{}, {}", label.name, format_day(day_of(now))), label.format));
    if (record.id == 0) record.id = next++;
    record.sharing = sharing;
    record.account.samples += fresh.samples;
    record.account.marks += fresh.marks;
  }
  for (Sample& sample : batch.samples) sample.source = records.at(sample.source).id;
  for (Mark& mark : batch.marks) mark.source = records.at(mark.source).id;

  Merger merger(transaction);
  TRY_VOID(merger.begin());
  TRY_VOID(merger.add(batch));
  TRY_VOID(transaction.settle());
  std::vector<SourceRecord> sources;
  for (auto& [place, record] : records) {
    const MergeCounts& fresh = merger.counts(record.id);
    total += fresh;
    record.merged += fresh;
    sources.push_back(record);
  }
  TRY_VOID(replace_sources(transaction, sources));
  TRY_VOID(transaction.commit());
  return total;
}

Result<void> load_latest(const Store& store, Latest& latest) {
  TRY(const Snapshot snapshot, store.snapshot());
  const auto extents = snapshot.manifest().of(extents_table.name);
  if (extents.empty()) return {};
  const std::int32_t last_day = extents.back()->day;
  TRY(Database database, Database::open(small_database()));
  TRY(Rows rows, database.query(fmt::format("SELECT e.server, e.filesystem, coalesce(e.job, ''), max(e.last_time) FROM {} e "
                                            "JOIN {} s ON e.source = s.id WHERE s.format LIKE 'collect:%' GROUP BY 1, 2, 3",
                                            snapshot.rows_of(extents_table, last_day - 1, last_day), snapshot.rows_of(sources_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      latest.remember({std::string(rows.text(0, i)), std::string(rows.text(1, i)), std::string(rows.text(2, i))}, rows.time(3, i));
  return rows.status();
}

Result<bool> tidy(const Store& store, std::int32_t today) {
  const CompactChoice choice{.since = today - 7, .finished_before = today, .crowded = crowded};
  TRY(const Manifest manifest, load_manifest(store.path()));
  if (!anything_to_compact(manifest, choice)) return false;
  TRY(Transaction transaction, store.begin(small_database()));
  TRY(const CompactReport report, compact(transaction, choice));
  return report.segments_after < report.segments_before;
}

}  // namespace fathom
