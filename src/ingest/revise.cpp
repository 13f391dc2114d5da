// SPDX-License-Identifier: Apache-2.0
#include "ingest/revise.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace fathom {
namespace {

constexpr ColumnSchema touched_columns[] = {{"server", ColumnType::text, ""},
                                            {"filesystem", ColumnType::text, ""},
                                            {"job", ColumnType::text, ""},
                                            {"rank", ColumnType::number, ""},
                                            {"day", ColumnType::number, ""}};
constexpr TableSchema touched_table{"touched", "", false, "", "", touched_columns};
constexpr std::size_t rows_per_stage = 1u << 20;

std::string day_of_column(std::string_view column) { return fmt::format("(epoch_us({}) // 86400000000)", column); }

bool same_increment(const Increment& a, const Increment& b) {
  return a.start == b.start && a.end == b.end && a.has == b.has && a.flags == b.flags && a.amounts == b.amounts;
}

}  // namespace

Columns touched_series() { return Columns(touched_table); }

void add_touched(Columns& touched, const SeriesName& name, std::uint64_t rank, std::int32_t day) {
  touched[0].add(std::string_view(name.server));
  touched[1].add(std::string_view(name.filesystem));
  touched[2].add(std::string_view(name.job));
  touched[3].add(static_cast<std::int64_t>(rank));
  touched[4].add(std::int64_t{day});
}

std::string same_series(std::string_view table, std::string_view touched) {
  return fmt::format("{0}.server = {1}.server AND {0}.filesystem = {1}.filesystem AND coalesce({0}.job, '') = {1}.job", table, touched);
}

std::string extent_fields(std::string_view which) {
  std::string fields = fmt::format("e.{0}_time, e.{0}_since, e.traits, e.source", which);
  for (const std::string_view counter : counter_names) fields += fmt::format(", e.{}_{}", which, counter);
  return fields;
}

Sample read_extent_sample(const Rows& rows, std::size_t first_column, std::size_t row, SeriesId series) {
  Sample sample;
  sample.t = rows.time(first_column, row);
  sample.since = rows.time(first_column + 1, row);
  sample.traits = static_cast<std::uint8_t>(rows.number(first_column + 2, row));
  sample.source = static_cast<SourceId>(rows.number(first_column + 3, row));
  sample.series = series;
  for (std::size_t i = 0; i < counter_count; ++i) {
    if (rows.is_null(first_column + 4 + i, row)) continue;
    sample.has |= static_cast<CounterMask>(1u << i);
    sample.values[i] = static_cast<std::uint64_t>(rows.number(first_column + 4 + i, row));
  }
  return sample;
}

Reviser::Reviser(Merger& merger, Revisions& revisions, std::optional<SourceId> removed)
    : merger_(merger), transaction_(merger.transaction_), removed_(removed), changed_(touched_series()) {
  for (auto& [name, revision] : revisions) revisions_.push_back(&revision);
  existing_.resize(revisions_.size());
  rebuilt_.resize(revisions_.size());
  for (const Segment& segment : transaction_.manifest().segments)
    if (segment.table == increments_table.name || segment.table == extents_table.name) old_segments_.push_back(segment.path);
}

Result<void> Reviser::run() {
  TRY_VOID(load_days());
  plan();
  TRY_VOID(load_extents());
  TRY_VOID(stream_increments());
  TRY_VOID(sheets_.stage(transaction_));
  TRY_VOID(transaction_.settle());
  return drop_old_rows();
}

/// The days that the store has of each series: those between its touched days, and one beyond on either side.
Result<void> Reviser::load_days() {
  if (transaction_.manifest().of(extents_table.name).empty()) return {};
  Columns touched = touched_series();
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (std::size_t rank = 0; rank < revisions_.size(); ++rank) {
    add_touched(touched, revisions_[rank]->name, rank);
    first = std::min(first, *revisions_[rank]->days.begin());
    last = std::max(last, *revisions_[rank]->days.rbegin());
  }
  TRY_VOID(transaction_.database().create_table("touched", touched));
  TRY(Rows rows, transaction_.database().query(
                     fmt::format("WITH d AS (SELECT DISTINCT k.rank AS rank, {0} AS day FROM {1} e JOIN touched k ON {2}) "
                                 "SELECT rank, day FROM d WHERE day BETWEEN {3} AND {4} "
                                 "UNION ALL SELECT rank, max(day) FROM d WHERE day < {3} GROUP BY rank "
                                 "UNION ALL SELECT rank, min(day) FROM d WHERE day > {4} GROUP BY rank",
                                 day_of_column("e.last_time"), transaction_.rows_of(extents_table), same_series("e", "k"), first, last)));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      existing_[static_cast<std::size_t>(rows.number(0, i))].insert(static_cast<std::int32_t>(rows.number(1, i)));
  return rows.status();
}

/// Each touched day is rebuilt, and the next one that exists: its first increment begins where the touched day ends.
void Reviser::plan() {
  for (std::size_t rank = 0; rank < revisions_.size(); ++rank) {
    for (const std::int32_t day : revisions_[rank]->days) {
      rebuilt_[rank].insert(day);
      const auto next = existing_[rank].upper_bound(day);
      if (next != existing_[rank].end()) rebuilt_[rank].insert(*next);
    }
  }
}

/// Extents of the days to rebuild, and of the day before each of them.
Result<void> Reviser::load_extents() {
  Columns wanted = touched_series();
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (std::size_t rank = 0; rank < revisions_.size(); ++rank) {
    std::set<std::int32_t> days;
    for (const std::int32_t day : rebuilt_[rank]) {
      auto at = existing_[rank].lower_bound(day);
      if (at != existing_[rank].end() && *at == day) days.insert(day);
      if (at != existing_[rank].begin()) days.insert(*std::prev(at));
    }
    for (const std::int32_t day : days) add_touched(wanted, revisions_[rank]->name, rank, day);
    if (!days.empty()) first = std::min(first, *days.begin()), last = std::max(last, *days.rbegin());
  }
  TRY_VOID(transaction_.database().create_table("wanted", wanted));
  if (wanted.empty()) return {};
  TRY(Rows rows,
      transaction_.database().query(fmt::format(
          "SELECT k.rank, {0}, {1} FROM {2} e JOIN wanted k ON {3} AND {4} = k.day ORDER BY k.rank, e.first_time", extent_fields("first"),
          extent_fields("last"), transaction_.rows_of(extents_table, first, last), same_series("e", "k"), day_of_column("e.last_time"))));
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Extent extent{read_extent_sample(rows, 1, i, 0), read_extent_sample(rows, 1 + extent_field_count, i, 0)};
      extents_[{static_cast<std::size_t>(rows.number(0, i)), day_of(extent.last.t)}].push_back(extent);
    }
  }
  return rows.status();
}

Result<void> Reviser::stream_increments() {
  std::string counters;
  for (const std::string_view counter : counter_names) counters += fmt::format(", i.{}", counter);
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (const auto& days : rebuilt_) {
    if (days.empty()) continue;
    first = std::min(first, *days.begin());
    last = std::max(last, *days.rbegin());
  }
  TRY(Rows rows, transaction_.database().query(fmt::format(
                     "SELECT k.rank, i.start_time, i.end_time, i.flags, i.source{0} FROM {1} i JOIN wanted k ON {2} AND {3} = k.day "
                     "ORDER BY k.rank, i.end_time",
                     counters, transaction_.rows_of(increments_table, first, last), same_series("i", "k"), day_of_column("i.end_time"))));
  std::size_t rank = 0;
  std::map<std::int32_t, std::vector<Increment>> of_series;
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row_rank = static_cast<std::size_t>(rows.number(0, i));
      for (; rank < row_rank; ++rank) {
        TRY_VOID(rebuild_series(rank, of_series));
        of_series.clear();
      }
      Increment increment;
      increment.start = rows.time(1, i);
      increment.end = rows.time(2, i);
      increment.flags = static_cast<std::uint8_t>(rows.number(3, i));
      increment.source = static_cast<SourceId>(rows.number(4, i));
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (rows.is_null(5 + c, i)) continue;
        increment.has |= static_cast<CounterMask>(1u << c);
        increment.amounts[c] = static_cast<std::uint64_t>(rows.number(5 + c, i));
      }
      of_series[day_of(increment.end)].push_back(increment);
    }
  }
  TRY_VOID(rows.status());
  for (; rank < revisions_.size(); ++rank) {
    TRY_VOID(rebuild_series(rank, of_series));
    of_series.clear();
  }
  return {};
}

/// Raw samples of a series' day, counted up from the extents' first samples.
Result<std::vector<Reviser::Known>> Reviser::known_samples(const Key& key, const std::vector<Increment>& rows) const {
  std::vector<Known> known;
  const auto found = extents_.find(key);
  if (found == extents_.end()) return known;
  std::size_t at = 0;
  for (const Extent& extent : found->second) {
    Sample sample = extent.first;
    std::optional<Increment> increment;
    if (at < rows.size() && rows[at].end == sample.t) increment = rows[at++];
    known.push_back({sample, increment});
    while (at < rows.size() && rows[at].end <= extent.last.t) {
      sample = advance(sample, rows[at]);
      known.push_back({sample, rows[at++]});
    }
    if (sample.t != extent.last.t || sample.values != extent.last.values) {
      return Error{ErrorKind::damaged,
                   fmt::format("looking again at {} on {}: increments and raw samples of the store do not agree; 'fathom check' tells more",
                               revisions_[key.first]->name.server, format_day(key.second))};
    }
    known.back().sample.since = extent.last.since;
  }
  return known;
}

/// True if the samples changed.
bool Reviser::merge_samples(std::vector<Known>& known, std::span<const Sample> fresh, const SeriesName& name) {
  bool changed = false;
  if (removed_) {
    const auto gone = std::erase_if(known, [&](const Known& k) { return k.sample.source == *removed_; });
    removed_samples_ += gone;
    changed = gone != 0;
  }
  std::vector<Known> merged;
  std::size_t at = 0;
  for (const Sample& sample : fresh) {
    while (at < known.size() && known[at].sample.t < sample.t) merged.push_back(known[at++]);
    if (at < known.size() && known[at].sample.t == sample.t) {
      MergeCounts& counts = merger_.counts_[sample.source];
      if (same_reading(sample, known[at].sample)) {
        ++counts.duplicates;
        merger_.note_overlap(known[at].sample.source, sample.source);
        continue;
      }
      ++counts.conflicts;
      merger_.note_conflict(name, sample);
      if (!prefer(sample, known[at].sample)) {
        merger_.note_overlap(known[at].sample.source, sample.source);
        continue;
      }
      merger_.note_overlap(sample.source, known[at].sample.source);
      ++at;
    } else {
      ++merger_.counts_[sample.source].new_samples;
    }
    merged.push_back({sample, std::nullopt});
    changed = true;
  }
  merged.insert(merged.end(), known.begin() + static_cast<std::ptrdiff_t>(at), known.end());
  known = std::move(merged);
  return changed;
}

bool Reviser::rebuild_day(const SeriesName& name, std::int32_t day, std::vector<Known>& known, bool changed, const Sample* before) {
  const auto& horizon = transaction_.manifest().forgotten_before;
  std::vector<std::optional<Increment>> increments;
  std::vector<bool> linked;
  const MarkBook::Of marks = merger_.marks_.of(name);
  for (const Known& k : known) {
    auto increment = join(before, k.sample, marks.context(before != nullptr ? before->t : no_time, k.sample.t));
    // Its past was forgotten on purpose: what was known then stands.
    if (before == nullptr && !increment && k.increment && horizon && day_of(k.increment->start) < *horizon) increment = k.increment;
    changed = changed || increment.has_value() != k.increment.has_value() || (increment && !same_increment(*increment, *k.increment));
    linked.push_back(links(before, k.sample, increment));
    increments.push_back(increment);
    before = &k.sample;
  }
  if (!changed) return false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (increments[i]) {
      sheets_.add(*increments[i]);
      merger_.repairs_.add(*increments[i]);
    }
    sheets_.add_sample(known[i].sample, linked[i]);
  }
  add_touched(changed_, name, 0, day);
  changed_days_.insert(day);
  return true;
}

Result<void> Reviser::rebuild_series(std::size_t rank, std::map<std::int32_t, std::vector<Increment>>& rows) {
  const Revision& revision = *revisions_[rank];
  std::span<const Sample> fresh = revision.samples;
  std::optional<Sample> before;
  std::int32_t before_day = INT32_MIN;  // the day that `before` was last looked for
  sheets_.begin_series(revision.name);
  merger_.repairs_.begin_series(revision.name);
  for (const std::int32_t day : rebuilt_[rank]) {
    // The day before this one, where it was not rebuilt itself: its last raw sample is known.
    const auto at = existing_[rank].lower_bound(day);
    if (at != existing_[rank].begin() && *std::prev(at) > before_day && !rebuilt_[rank].contains(*std::prev(at)))
      before = extents_.at({rank, *std::prev(at)}).back().last;
    TRY(std::vector<Known> known, known_samples({rank, day}, rows[day]));
    const auto of_day = std::find_if(fresh.begin(), fresh.end(), [&](const Sample& sample) { return day_of(sample.t) != day; });
    const bool changed = merge_samples(known, {fresh.begin(), of_day}, revision.name);
    fresh = {of_day, fresh.end()};
    if (rebuild_day(revision.name, day, known, changed, before ? &*before : nullptr))
      for (const Increment& increment : rows[day]) merger_.repairs_.take_back(increment);
    if (!known.empty()) before = known.back().sample;
    before_day = day;
  }
  sheets_.end_series();
  if (sheets_.rows() >= rows_per_stage) return sheets_.stage(transaction_);
  return {};
}

Result<void> Reviser::drop_old_rows() {
  if (changed_.empty()) return {};
  Database& database = transaction_.database();
  TRY_VOID(database.create_table("changed", changed_));
  for (const std::string& path : old_segments_) {
    const auto& segments = transaction_.manifest().segments;
    const auto found = std::find_if(segments.begin(), segments.end(), [&](const Segment& segment) { return segment.path == path; });
    if (found == segments.end() || !changed_days_.contains(found->day)) continue;
    const std::string rows = transaction_.rows_of(*found);
    // The day is asked for inside: a condition on one side only would make DuckDB compare every row with every series.
    const std::string match = fmt::format("(SELECT * FROM changed WHERE day = {}) c ON {}", found->day, same_series("s", "c"));
    TRY(const std::int64_t stale, database.number(fmt::format("SELECT count(*) FROM {} s SEMI JOIN {}", rows, match)));
    if (stale == 0) continue;
    TRY_VOID(transaction_.rewrite(*found, fmt::format("SELECT s.* FROM {} s ANTI JOIN {}", rows, match)));
  }
  return {};
}

}  // namespace fathom
