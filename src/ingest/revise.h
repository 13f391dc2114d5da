// SPDX-License-Identifier: Apache-2.0
/// The slow way into a store: days of series that new samples or marks fall into are rebuilt from their raw samples.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ingest/merger.h"
#include "store/store.h"

namespace fathom {

class Reviser {
 public:
  /// With `removed`, the samples of that source are left out of the rebuilt days.
  Reviser(Merger& merger, Revisions& revisions, std::optional<SourceId> removed);
  Result<void> run();
  /// How many samples of the source that is taken out there were.
  std::uint64_t removed_samples() const { return removed_samples_; }

 private:
  /// A raw sample that the store holds, with the increment that ends at it.
  struct Known {
    Sample sample;
    std::optional<Increment> increment;
  };
  struct Extent {
    Sample first, last;
  };
  using Key = std::pair<std::size_t, std::int32_t>;  // rank of the series, day

  Result<void> load_days();
  void plan();
  Result<void> load_extents();
  Result<void> stream_increments();
  Result<void> rebuild_series(std::size_t rank, std::map<std::int32_t, std::vector<Increment>>& rows);
  Result<std::vector<Known>> known_samples(const Key& key, const std::vector<Increment>& rows) const;
  bool merge_samples(std::vector<Known>& known, std::span<const Sample> fresh, const SeriesName& name);
  /// True if the day is another one than it was.
  bool rebuild_day(const SeriesName& name, std::int32_t day, std::vector<Known>& known, bool changed, const Sample* before);
  Result<void> drop_old_rows();

  Merger& merger_;
  Transaction& transaction_;
  std::vector<Revision*> revisions_;  // by rank
  std::optional<SourceId> removed_;
  std::uint64_t removed_samples_ = 0;
  std::vector<std::set<std::int32_t>> existing_;  // by rank: days that the store has, as far as they matter
  std::vector<std::set<std::int32_t>> rebuilt_;   // by rank: days to rebuild
  std::map<Key, std::vector<Extent>> extents_;
  std::vector<std::string> old_segments_;
  DaySheets sheets_;
  Columns changed_;
  std::set<std::int32_t> changed_days_;
};

/// A look-up table of series (and days), and how it is joined.
Columns touched_series();
void add_touched(Columns& touched, const SeriesName& name, std::uint64_t rank, std::int32_t day = 0);
std::string same_series(std::string_view table, std::string_view touched);
/// The fields of an extent's "first" or "last" sample, in the order that read_extent_sample() expects.
std::string extent_fields(std::string_view which);
inline constexpr std::size_t extent_field_count = counter_count + 4;
Sample read_extent_sample(const Rows& rows, std::size_t first_column, std::size_t row, SeriesId series);

}  // namespace fathom
