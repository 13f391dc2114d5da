// SPDX-License-Identifier: Apache-2.0
#include "ingest/sources.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

bool KnownSources::has_size(std::uint64_t bytes) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.bytes == bytes; });
}

const KnownSources::Entry* KnownSources::find(std::uint64_t bytes, std::string_view hash) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.bytes == bytes && e.hash == hash; });
  return found == entries_.end() ? nullptr : &*found;
}

Result<KnownSources> load_sources(Transaction& transaction) {
  KnownSources known;
  TRY(Rows rows, transaction.database().query(
                     fmt::format("SELECT id, name, format, bytes, hash FROM {} ORDER BY id", transaction.rows_of(sources_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      known.add(KnownSources::Entry{static_cast<SourceId>(rows.number(0, i)), std::string(rows.text(1, i)), std::string(rows.text(2, i)),
                                    static_cast<std::uint64_t>(rows.number(3, i)), std::string(rows.text(4, i))});
  TRY_VOID(rows.status());
  return known;
}

Result<void> stage_sources(Transaction& transaction, const std::vector<SourceRecord>& sources) {
  Columns rows(sources_table);
  const Time now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  for (const SourceRecord& source : sources) {
    if (source.id == 0) continue;
    auto number = [&](std::size_t column, std::uint64_t value) { rows[column].add(static_cast<std::int64_t>(value)); };
    number(0, source.id);
    rows[1].add(std::string_view(source.name));
    rows[2].add(std::string_view(source.format));
    number(3, source.bytes);
    rows[4].add(std::string_view(source.hash));
    rows[5].add(now);
    source.sharing == ServerSharing::unknown ? rows[6].add_null() : number(6, source.sharing == ServerSharing::shared ? 1 : 0);
    number(7, source.account.lines);
    number(8, source.account.samples);
    number(9, source.merged.new_samples);
    number(10, source.merged.duplicates);
    number(11, source.merged.overlaps);
    number(12, source.merged.conflicts);
    number(13, source.account.marks);
    number(14, source.account.jobs);
    number(15, source.account.rejected + source.merged.conflicts);
    std::uint64_t left_out = source.merged.before_horizon;
    for (const auto& [reason, count] : source.account.left_out) left_out += count;
    number(16, left_out);
    transaction.edit().next_source = std::max(transaction.manifest().next_source, source.id + 1);
  }
  return transaction.stage(rows, 0);
}

Result<std::vector<SourceId>> add_overlaps(Transaction& transaction, const std::map<SourceId, std::uint64_t>& more) {
  std::vector<SourceId> held;
  if (more.empty()) return held;
  std::string ids, sums;
  for (const auto& [id, count] : more) {
    ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
    sums += fmt::format(" WHEN {} THEN {}", id, count);
  }
  std::vector<Segment> segments;
  for (const Segment* segment : transaction.manifest().of(sources_table.name)) segments.push_back(*segment);
  for (const Segment& segment : segments) {
    const std::string rows = transaction.rows_of(segment);
    TRY(Rows found, transaction.database().query(fmt::format("SELECT id FROM {} WHERE id IN ({}) ORDER BY id", rows, ids)));
    const std::size_t before = held.size();
    while (found.next())
      for (std::size_t i = 0; i < found.size(); ++i) held.push_back(static_cast<SourceId>(found.number(0, i)));
    TRY_VOID(found.status());
    if (held.size() > before)
      TRY_VOID(transaction.rewrite(
          segment, fmt::format("SELECT * REPLACE (overlapping + CASE id{} ELSE 0 END AS overlapping) FROM {} ORDER BY id", sums, rows)));
  }
  return held;
}

Result<SourceRecord> source_so_far(Transaction& transaction, const std::string& name, const std::string& format) {
  SourceRecord record{
      .id = 0, .name = name, .format = format, .bytes = 0, .hash = {}, .sharing = ServerSharing::unknown, .account = {}, .merged = {}};
  TRY(Rows rows, transaction.database().query(fmt::format(
                     "SELECT id, lines, samples, new_samples, duplicates, overlapping, conflicts, marks, rejected, left_out FROM {} "
                     "WHERE name = {} AND format = {} ORDER BY id DESC LIMIT 1",
                     transaction.rows_of(sources_table), sql_text(name), sql_text(format))));
  if (rows.next() && rows.size() > 0) {
    auto number = [&](std::size_t column) { return static_cast<std::uint64_t>(rows.number(column, 0)); };
    record.id = static_cast<SourceId>(number(0));
    record.account.lines = number(1);
    record.account.samples = number(2);
    record.merged = {
        .new_samples = number(3), .duplicates = number(4), .overlaps = number(5), .conflicts = number(6), .before_horizon = number(9)};
    record.account.marks = number(7);
    record.account.rejected = number(8) - std::min(number(8), record.merged.conflicts);
  }
  TRY_VOID(rows.status());
  return record;
}

Result<void> replace_sources(Transaction& transaction, const std::vector<SourceRecord>& sources) {
  std::string ids;
  for (const SourceRecord& source : sources) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", source.id);
  if (ids.empty()) return {};
  std::vector<Segment> segments;
  for (const Segment* segment : transaction.manifest().of(sources_table.name)) segments.push_back(*segment);
  for (const Segment& segment : segments) {
    const std::string rows = transaction.rows_of(segment);
    TRY(const std::int64_t held, transaction.database().number(fmt::format("SELECT count(*) FROM {} WHERE id IN ({})", rows, ids)));
    if (held > 0) TRY_VOID(transaction.rewrite(segment, fmt::format("SELECT * FROM {} WHERE id NOT IN ({})", rows, ids)));
  }
  return stage_sources(transaction, sources);
}

}  // namespace fathom
