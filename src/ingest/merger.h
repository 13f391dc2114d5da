// SPDX-License-Identifier: Apache-2.0
/// Puts batches of samples into a store. What the store then holds is what the set of all samples says,
/// whatever the order, split and overlap of the files they came in.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "ingest/day_sheets.h"
#include "ingest/harvest.h"
#include "ingest/mark_book.h"
#include "ingest/repair_book.h"
#include "store/store.h"

namespace fathom {

/// What became of a file's samples.
struct MergeCounts {
  std::uint64_t new_samples = 0;
  std::uint64_t duplicates = 0;      // known already, equal
  std::uint64_t overlaps = 0;        // readings for which that of another file is kept, equal or not
  std::uint64_t conflicts = 0;       // at a known time with other values: the larger were kept
  std::uint64_t before_horizon = 0;  // older than what 'fathom forget' keeps: samples, marks and jobs

  MergeCounts& operator+=(const MergeCounts& other) {
    new_samples += other.new_samples;
    duplicates += other.duplicates;
    overlaps += other.overlaps;
    conflicts += other.conflicts;
    before_horizon += other.before_horizon;
    return *this;
  }
};

/// New samples of one series (sorted, no two at the same time) and the days that must be looked at again.
struct Revision {
  SeriesName name;
  std::vector<Sample> samples;
  std::set<std::int32_t> days;
};

using Revisions = std::map<SeriesName, Revision>;

class Merger {
 public:
  explicit Merger(Transaction& transaction) : transaction_(transaction) {}

  Result<void> begin();
  /// Leaves the batch empty, with its memory.
  Result<void> add(Batch& batch);
  /// Takes all samples and marks of a source out again; returns how many samples.
  Result<std::uint64_t> remove_source(SourceId source);

  MergeCounts& counts(SourceId source) { return counts_[source]; }
  /// Of all sources that were met so far, also those that the store had before.
  const std::unordered_map<SourceId, MergeCounts>& all_counts() const { return counts_; }
  /// A few sentences about samples that contradict each other.
  const std::vector<std::string>& conflict_examples() const { return conflict_examples_; }
  /// What all batches together repaired and flagged.
  Result<Repairs> repairs();

 private:
  struct Run {  // the samples of one series in the batch
    SeriesId series;
    std::size_t begin, end;  // in order_
  };

  void sort_batch(const std::vector<Sample>& samples);
  void sort_run(const std::vector<Sample>& samples, Run& run);
  Result<void> load_tails();
  const Sample* tail(SeriesId series) const;
  void forget_tails();
  Result<void> late_marks(const std::vector<Mark>& fresh, Revisions& revisions);
  void append(const std::vector<Sample>& samples, const Run& run);
  void appended(const std::vector<Sample>& samples, const Run& run);
  void note_conflict(const SeriesName& name, const Sample& kept);
  /// Two readings of the same moment: that of `lost` is not in the store.
  void note_overlap(SourceId kept, SourceId lost) { counts_[lost].overlaps += kept != lost; }

  Transaction& transaction_;
  MarkBook marks_;
  SeriesNames names_;
  /// The last sample of a series, as far as it was met in this ingest and is still remembered.
  std::unordered_map<SeriesId, Sample> tails_;
  enum class Tail : std::uint8_t { unmet, remembered, stored };  // stored: to be asked of the store again
  std::vector<Tail> tail_states_;
  bool store_has_extents_ = false;                        // from before this ingest
  std::unordered_map<std::string, Time> last_of_server_;  // latest sample of this ingest
  std::vector<Run> runs_;                                 // in order of names
  std::vector<std::uint32_t> order_;                      // indices of samples, by series and time
  DaySheets sheets_;
  RepairBook repairs_;
  std::unordered_map<SourceId, MergeCounts> counts_;
  std::vector<std::string> conflict_examples_;

  friend class Reviser;
};

}  // namespace fathom
