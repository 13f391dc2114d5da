// SPDX-License-Identifier: Apache-2.0
/// When the series of a segment of increments were counted, and in intervals of what length. Who judges increments must know this of all
/// of them first; so it is noted in a segment's footer when that is written, and read from there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/sample.h"
#include "store/parquet_writer.h"
#include "store/store.h"

namespace fathom {

/// How often lengths occur, rounded as in store/survey.h; the median is the usual interval.
class LengthCounts {
 public:
  void add(std::int64_t length, std::uint64_t count = 1);
  void add(const LengthCounts& other);
  bool operator==(const LengthCounts& other) const;  // whatever their order
  std::int64_t median() const;
  const std::vector<std::pair<std::int64_t, std::uint64_t>>& classes() const { return classes_; }

 private:
  std::vector<std::pair<std::int64_t, std::uint64_t>> sorted() const;

  std::vector<std::pair<std::int64_t, std::uint64_t>> classes_;  // few: not sorted, the latest first
};

struct TimeRange {
  std::int64_t from = INT64_MAX, to = INT64_MIN;
  void add(std::int64_t a, std::int64_t b) {
    if (a < from) from = a;
    if (b > to) to = b;
  }
  bool overlaps(std::int64_t a, std::int64_t b) const { return from < b && a < to; }
  bool operator==(const TimeRange&) const = default;
};

struct SeriesTimes {
  TimeRange range;  // from the first begin to the last end
  std::uint64_t increments = 0;
  LengthCounts lengths;  // of those that were measured

  void add(const SeriesTimes& other);
  bool operator==(const SeriesTimes&) const = default;
};

using TimesBySeries = std::map<SeriesName, SeriesTimes>;

/// For the footer of a segment of these rows; none where another table is meant, or where the note would hardly be shorter than the rows.
std::vector<FooterNote> notes_for(const Columns& rows);
std::vector<FooterNote> notes_for(const TimesBySeries& times);

/// What a footer's note says; nothing if it is not understood.
std::optional<TimesBySeries> times_from_note(std::string_view text);

/// Of all these segments: from their notes, or else from their rows.
Result<TimesBySeries> read_times(Database& database, const std::vector<SegmentFile>& increments);
/// From rows alone, whatever the notes say.
Result<TimesBySeries> read_times_of_rows(Database& database, const std::vector<SegmentFile>& increments);

}  // namespace fathom
