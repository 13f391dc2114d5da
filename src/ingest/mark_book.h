// SPDX-License-Identifier: Apache-2.0
/// Resets and visits known to a store and to the ingest under way.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/join.h"
#include "model/sample.h"
#include "store/store.h"

namespace fathom {

class MarkBook {
 public:
  /// A visit older than this says nothing about when a job's counters began.
  static constexpr Duration visit_reach = std::chrono::hours(24);

  /// Reads the store's resets; visits are read as they are needed.
  Result<void> load(Transaction& transaction);
  Result<void> load_visits(Transaction& transaction, std::int32_t from_day, std::int32_t to_day);

  /// Those of `marks` that were not known; they are from now on, and go into the store with stage().
  std::vector<Mark> add(std::vector<Mark> marks);
  void remove(const Mark& mark);

  /// The marks that matter to one series: resets to a server's own counters, visits to its job entries.
  class Of {
   public:
    /// What they say about the stretch between two samples; before == no_time: nothing came before.
    Context context(Time before, Time sample) const;

   private:
    friend class MarkBook;
    const std::vector<Time>* resets_ = nullptr;
    const std::vector<Time>* visits_ = nullptr;
  };
  Of of(const SeriesName& series) const;

  Result<void> stage(Transaction& transaction);

 private:
  using Times = std::vector<Time>;  // sorted
  std::map<std::string, Times, std::less<>>& by(MarkKind kind) { return kind == MarkKind::reset ? resets_ : visits_; }

  std::map<std::string, Times, std::less<>> resets_, visits_;
  std::int32_t visits_from_ = INT32_MAX, visits_to_ = INT32_MIN;
  std::vector<Mark> unstaged_;
};

/// A row of the store's table of marks.
void add_mark(Columns& rows, const Mark& mark);

}  // namespace fathom
