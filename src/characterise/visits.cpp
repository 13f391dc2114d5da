// SPDX-License-Identifier: Apache-2.0
#include "characterise/visits.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/schema.h"

namespace fathom {

Result<void> find_visits(Machine& machine, const Snapshot& snapshot, Database& database) {
  if (std::find(machine.tagged.begin(), machine.tagged.end(), 1) == machine.tagged.end()) return {};
  if (snapshot.manifest().of(marks_table.name).empty()) return {};
  // Visits are many. Those of one span of the longest pause belong together whatever lies between them: its first and last are enough.
  TRY(Rows rows, database.query(fmt::format("SELECT server, min(t), max(t) FROM {} WHERE kind = 'visit' "
                                            "GROUP BY server, epoch_us(t) // {} ORDER BY 1, 2",
                                            snapshot.rows_of(marks_table), longest_pause_of_visits)));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto server = machine.server_ids.find(std::string(rows.text(0, i)));
      if (server == machine.server_ids.end()) continue;
      auto& ranges = machine.visited[server->second];
      const std::int64_t first = rows.number(1, i), last = rows.number(2, i);
      if (!ranges.empty() && first - ranges.back().to <= longest_pause_of_visits)
        ranges.back().to = last;
      else
        ranges.push_back({first, last});
    }
  return rows.status();
}

std::int64_t time_within(const std::vector<TimeRange>& ranges, std::int64_t from, std::int64_t to) {
  std::int64_t sum = 0;
  auto range =
      std::upper_bound(ranges.begin(), ranges.end(), from, [](std::int64_t time, const TimeRange& each) { return time < each.to; });
  for (; range != ranges.end() && range->from < to; ++range) sum += std::min(to, range->to) - std::max(from, range->from);
  return sum;
}

}  // namespace fathom
