// SPDX-License-Identifier: Apache-2.0
#include "ingest/day_sheets.h"

namespace fathom {
namespace {

void add_name(Columns& rows, const std::int64_t (&words)[3], bool tagged) {
  rows[0].add(words[0]);
  rows[1].add(words[1]);
  tagged ? rows[2].add(words[2]) : rows[2].add_null();
}

constexpr std::size_t increment_counters = 5, increment_flags = increment_counters + counter_count;
constexpr std::size_t first_counters = 9, last_counters = first_counters + counter_count, extent_source = last_counters + counter_count;
constexpr std::size_t metadata_ops = index(Counter::metadata_ops);

/// Most sources have no count of all metadata operations: its nulls are left to fill_up(), once for all rows.
void add_counters(Columns& rows, std::size_t first_column, CounterMask has, const Counters& values) {
  for (std::size_t i = 0; i < metadata_ops; ++i)
    holds(has, i) ? rows[first_column + i].add(static_cast<std::int64_t>(values[i])) : rows[first_column + i].add_null();
  if (!holds(has, metadata_ops)) return;
  Column& column = rows[first_column + metadata_ops];
  column.pad(rows[first_column].size() - 1);
  column.add(static_cast<std::int64_t>(values[metadata_ops]));
}

void fill_up(Columns& rows, std::size_t first_column) { rows[first_column + metadata_ops].pad(rows[first_column].size()); }

}  // namespace

void DaySheets::begin_series(const SeriesName& name) {
  name_ = name;
  ++series_;
  extent_open_ = false;
}

DaySheets::Sheet& DaySheets::sheet(std::int32_t day) {
  if (current_ == nullptr || day != current_day_) {
    auto found = sheets_.find(day);
    if (found == sheets_.end()) {
      found = sheets_.emplace(day, spare_.empty() ? Sheet{} : std::move(spare_.back())).first;
      if (!spare_.empty()) spare_.pop_back();
    }
    current_ = &found->second;
    current_day_ = day;
  }
  Sheet& sheet = *current_;
  if (sheet.series != series_) {
    sheet.series = series_;
    const std::string_view words[3] = {name_.server, name_.filesystem, name_.job};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == 2 && name_.job.empty()) continue;
      sheet.increment_words[i] = (*sheet.increments)[i].word(words[i]);
      sheet.extent_words[i] = (*sheet.extents)[i].word(words[i]);
    }
  }
  return sheet;
}

void DaySheets::add(const Increment& increment) {
  Sheet& s = sheet(day_of(increment.end));
  Columns& rows = *s.increments;
  add_name(rows, s.increment_words, !name_.job.empty());
  rows[3].add(micros(increment.start));
  rows[4].add(micros(increment.end));
  add_counters(rows, increment_counters, increment.has, increment.amounts);
  rows[increment_flags].add(std::int64_t{increment.flags});
  rows[increment_flags + 1].add(std::int64_t{increment.source});
  ++rows_;
}

void DaySheets::add_sample(const Sample& sample, bool linked) {
  if (extent_open_ && (!linked || day_of(sample.t) != day_of(extent_last_.t))) close_extent();
  if (!extent_open_) {
    extent_open_ = true;
    extent_joined_ = linked;
    extent_first_ = sample;
  }
  extent_last_ = sample;
}

void DaySheets::end_series() {
  if (extent_open_) close_extent();
}

void DaySheets::close_extent() {
  extent_open_ = false;
  Sheet& s = sheet(day_of(extent_last_.t));
  Columns& rows = *s.extents;
  add_name(rows, s.extent_words, !name_.job.empty());
  rows[3].add(extent_first_.t);
  rows[4].add(extent_last_.t);
  rows[5].add(extent_first_.since);
  rows[6].add(extent_last_.since);
  rows[7].add(std::int64_t{extent_first_.traits});
  rows[8].add(std::int64_t{extent_joined_});
  add_counters(rows, first_counters, extent_first_.has, extent_first_.values);
  add_counters(rows, last_counters, extent_last_.has, extent_last_.values);
  rows[extent_source].add(std::int64_t{extent_first_.source});
  ++rows_;
}

Result<void> DaySheets::stage(Transaction& transaction) {
  TRY_VOID(transaction.settle());
  for (Sheet& sheet : in_flight_) {
    sheet.increments->clear();
    sheet.extents->clear();
    sheet.series = 0;
    if (spare_.size() < 4) spare_.push_back(std::move(sheet));
  }
  in_flight_.clear();
  for (auto& [day, sheet] : sheets_) {
    fill_up(*sheet.increments, increment_counters);
    fill_up(*sheet.extents, first_counters);
    fill_up(*sheet.extents, last_counters);
    TRY_VOID(transaction.stage_later(sheet.increments, day));
    TRY_VOID(transaction.stage_later(sheet.extents, day));
    in_flight_.push_back(std::move(sheet));
  }
  sheets_.clear();
  current_ = nullptr;
  rows_ = 0;
  return {};
}

}  // namespace fathom
