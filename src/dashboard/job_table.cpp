// SPDX-License-Identifier: Apache-2.0
#include "dashboard/job_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::dashboard {

std::uint32_t Words::place(std::string_view text) {
  const auto [at, added] = places_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (added) texts_.emplace_back(text);
  return at->second;
}

std::uint32_t Words::find(std::string_view text) const {
  const auto at = places_.find(std::string(text));
  return at == places_.end() ? UINT32_MAX : at->second;
}

void JobTable::index() {
  rows_.clear();
  rows_.reserve(size());
  running.clear();
  longest = 0;
  for (std::uint32_t row = 0; row < size(); ++row) {
    rows_.emplace(ids[row], row);
    if (std::isnan(end[row]))
      running.push_back(row);
    else
      longest = std::max(longest, duration(row));
  }
}

std::vector<std::uint32_t> JobTable::rows_of(std::string_view id) const {
  std::vector<std::uint32_t> rows;
  for (auto [at, last] = rows_.equal_range(id); at != last; ++at) rows.push_back(at->second);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::uint32_t> JobTable::overlapping(double from, double to) const {
  std::vector<std::uint32_t> rows;
  const auto first = std::lower_bound(start.begin(), start.end(), from - longest) - start.begin();
  const auto last = std::lower_bound(start.begin(), start.end(), to) - start.begin();
  for (const std::uint32_t row : running)
    if (row < first) rows.push_back(row);
  for (auto row = first; row < last; ++row)
    if (!(end[static_cast<std::size_t>(row)] <= from)) rows.push_back(static_cast<std::uint32_t>(row));
  return rows;
}

Result<JobTable> read_job_table(const Snapshot& snapshot) {
  TRY(Database database, Database::open({.memory_limit = std::size_t{2} << 30}));
  TRY(Rows rows, database.query(fmt::format("SELECT job_id, user_name, name, nodes, epoch_us(start_time), epoch_us(end_time) FROM {} WHERE "
                                            "start_time IS NOT NULL ORDER BY start_time, job_id",
                                            snapshot.rows_of(jobs_table))));
  JobTable table;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.ids.emplace_back(rows.text(0, i));
      table.user.push_back(table.users.place(rows.text(1, i)));
      table.name.push_back(table.names.place(rows.text(2, i)));
      const std::int64_t nodes = rows.is_null(3, i) ? 0 : rows.number(3, i);
      table.nodes.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(nodes, 0, UINT32_MAX)));
      table.start.push_back(static_cast<double>(rows.number(4, i)) / 1e6);
      table.end.push_back(rows.is_null(5, i) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(rows.number(5, i)) / 1e6);
    }
  TRY_VOID(rows.status());
  table.index();
  return table;
}

}  // namespace fathom::dashboard
