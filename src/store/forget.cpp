// SPDX-License-Identifier: Apache-2.0
#include "store/forget.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

Result<ForgetReport> forget(Transaction& transaction, std::int32_t first_day_kept) {
  ForgetReport report;
  const std::vector<Segment> segments = transaction.manifest().segments;
  for (const Segment& segment : segments) {
    const TableSchema* table = table_named(segment.table);
    if (table == nullptr || !table->by_day || segment.day >= first_day_kept) continue;
    ++report.segments;
    report.rows += segment.rows;
    if (table != &jobs_table) {
      transaction.retire(segment.path);
      continue;
    }
    // A job is kept while any of it lies in days that are kept.
    const auto before = transaction.manifest().segments.size();
    TRY_VOID(transaction.rewrite(segment, fmt::format("SELECT * FROM {} WHERE end_time IS NULL OR end_time >= make_timestamp({})",
                                                      transaction.rows_of(segment), std::int64_t{first_day_kept} * 86'400'000'000)));
    if (transaction.manifest().segments.size() == before) report.rows -= transaction.manifest().segments.back().rows;
  }
  auto& horizon = transaction.edit().forgotten_before;
  horizon = std::max(horizon.value_or(INT32_MIN), first_day_kept);
  transaction.touch();
  TRY_VOID(transaction.commit());
  return report;
}

}  // namespace fathom
