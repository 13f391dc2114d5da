// SPDX-License-Identifier: Apache-2.0
/// A store with a few increments, written row by row.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "model/counters.h"
#include "store/store.h"
#include "tests/support/made_folder.h"

namespace fathom::mine {

struct MadeIncrement {
  std::string server, filesystem, job;
  double start = 0, end = 0;  // seconds since 1970
  std::int64_t read = 0, written = 0;
};

class MadeStore {
 public:
  /// Into the days of their ends; extents of one row for each series and day.
  void add(const std::vector<MadeIncrement>& increments) {
    auto store = Store::open_or_create(folder_.path());
    ASSERT_TRUE(store);
    auto change = store->begin();
    ASSERT_TRUE(change);
    std::map<std::int32_t, Columns> by_day, extents;
    for (const MadeIncrement& each : increments) {
      const Time end = moment(each.end);
      Columns& rows = by_day.try_emplace(day_of(end), increments_table).first->second;
      Columns& known = extents.try_emplace(day_of(end), extents_table).first->second;
      for (Columns* into : {&rows, &known}) {
        (*into)[0].add(std::string_view(each.server));
        (*into)[1].add(std::string_view(each.filesystem));
        each.job.empty() ? (*into)[2].add_null() : (*into)[2].add(std::string_view(each.job));
        (*into)[3].add(moment(each.start));
        (*into)[4].add(end);
      }
      rows[5].add(each.read);
      rows[6].add(each.written);
      for (std::size_t c = 7; c < increments_table.column("flags"); ++c) rows[c].add_null();
      rows[increments_table.column("flags")].add(std::int64_t{0});
      rows[increments_table.column("source")].add(std::int64_t{1});
      for (std::size_t c = 5; c < extents_table.columns.size(); ++c)  // a series that counts bytes
        extents_table.columns[c].name.ends_with("t_read_bytes") ? known[c].add(std::int64_t{0}) : known[c].add_null();
    }
    for (const auto& [day, rows] : by_day) ASSERT_TRUE(change->stage(rows, day));
    for (const auto& [day, rows] : extents) ASSERT_TRUE(change->stage(rows, day));
    ASSERT_TRUE(change->commit());
  }

  Store store() const { return *Store::open_or_create(folder_.path()); }
  static Time moment(double t) { return time_from_micros(static_cast<std::int64_t>(t * 1e6)); }

 private:
  MadeFolder folder_;
};

}  // namespace fathom::mine
