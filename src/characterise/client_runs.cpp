// SPDX-License-Identifier: Apache-2.0
#include "characterise/client_runs.h"

#include <fmt/format.h>

namespace fathom {

Result<std::vector<ClientRun>> client_runs(const Snapshot& snapshot, const std::string& job, Time start, Time end) {
  std::vector<ClientRun> runs;
  if (snapshot.manifest().of(slices_table.name).empty()) return runs;
  const std::int32_t from = day_of(start), to = end == no_time ? INT32_MAX : day_of(end) + 1;
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows, database.query(fmt::format("SELECT trace, length, slice, sum(read_bytes)::DOUBLE, sum(write_bytes)::DOUBLE FROM {} WHERE "
                                            "job_id = {} AND length > 0 GROUP BY 1, 2, 3 ORDER BY 1, 3",
                                            snapshot.rows_of(slices_table, from, to), sql_text(job))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (runs.empty() || runs.back().trace != rows.text(0, i)) runs.push_back({std::string(rows.text(0, i)), rows.real(1, i), {}});
      auto& slices = runs.back().slices;
      if (slices.empty() || slices.back().number != rows.number(2, i)) slices.push_back({rows.number(2, i), 0, 0});
      slices.back().read += rows.real(3, i);
      slices.back().write += rows.real(4, i);
    }
  TRY_VOID(rows.status());
  return runs;
}

}  // namespace fathom
