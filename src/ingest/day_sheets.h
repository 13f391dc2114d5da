// SPDX-License-Identifier: Apache-2.0
/// Increments and extents gathered by UTC day, in the order of their series, until they become segments.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/increment.h"
#include "model/sample.h"
#include "store/store.h"

namespace fathom {

class DaySheets {
 public:
  /// The series of the rows that follow; to be called in ascending order of names.
  void begin_series(const SeriesName& name);
  void add(const Increment& increment);
  /// A sample as it was counted; successive ones that link become one extent, a day at most.
  void add_sample(const Sample& sample, bool linked);
  void end_series();

  std::size_t rows() const { return rows_; }
  /// Hands all rows to the transaction, which writes them while more are gathered (Transaction::settle()).
  Result<void> stage(Transaction& transaction);

 private:
  struct Sheet {
    std::shared_ptr<Columns> increments = std::make_shared<Columns>(increments_table);
    std::shared_ptr<Columns> extents = std::make_shared<Columns>(extents_table);
    std::uint64_t series = 0;  // which series the word numbers below are of
    std::int64_t increment_words[3]{}, extent_words[3]{};
  };
  Sheet& sheet(std::int32_t day);
  void close_extent();

  std::map<std::int32_t, Sheet> sheets_;
  std::vector<Sheet> in_flight_;  // being written
  std::vector<Sheet> spare_;      // empty ones, for their memory
  Sheet* current_ = nullptr;
  std::int32_t current_day_ = INT32_MIN;
  SeriesName name_;
  std::uint64_t series_ = 0;
  std::size_t rows_ = 0;

  bool extent_open_ = false;
  bool extent_joined_ = false;
  Sample extent_first_, extent_last_;
};

}  // namespace fathom
