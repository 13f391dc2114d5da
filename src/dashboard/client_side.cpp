// SPDX-License-Identifier: Apache-2.0
#include "dashboard/client_side.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_steps = 2000;

struct Run {
  double length = 0;  // of a slice, seconds
  std::map<std::int64_t, std::pair<double, double>> slices;  // bytes read and written
};

Json as_json(const std::string& trace, const Run& run) {
  const std::int64_t first = run.slices.begin()->first, last = run.slices.rbegin()->first;
  const auto together = std::max<std::int64_t>(1, (last - first + static_cast<std::int64_t>(most_steps)) / static_cast<std::int64_t>(most_steps));
  const auto steps = static_cast<std::size_t>((last - first) / together + 1);
  const double step = run.length * static_cast<double>(together);
  std::vector<double> read(steps, std::nan("")), write(steps, std::nan(""));
  double all_read = 0, all_write = 0;
  for (const auto& [slice, bytes] : run.slices) {
    const auto at = static_cast<std::size_t>((slice - first) / together);
    read[at] = (std::isnan(read[at]) ? 0 : read[at]) + bytes.first / step;
    write[at] = (std::isnan(write[at]) ? 0 : write[at]) + bytes.second / step;
    all_read += bytes.first;
    all_write += bytes.second;
  }
  const auto series = [](const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    return list;
  };
  return {{"source", "slices"}, {"trace", nullptr}, {"name", trace}, {"t0", static_cast<double>(first) * run.length}, {"step", step}, {"read", series(read)}, {"write", series(write)}, {"read_bytes", all_read}, {"write_bytes", all_write}};
}

}  // namespace

Result<Json> clients_from_slices(const Snapshot& snapshot, const std::string& job, double start, double end) {
  Json list = Json::array();
  if (snapshot.manifest().of(slices_table.name).empty()) return list;
  constexpr std::int32_t day = 86400;
  const auto from = static_cast<std::int32_t>(std::floor(start / day)), to = std::isnan(end) ? INT32_MAX : static_cast<std::int32_t>(std::floor(end / day)) + 1;
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows, database.query(fmt::format("SELECT trace, length, slice, sum(read_bytes)::DOUBLE, sum(write_bytes)::DOUBLE FROM {} WHERE job_id = {} GROUP BY 1, 2, 3 ORDER BY 1, 3",
                                            snapshot.rows_of(slices_table, from, to), sql_text(job))));
  std::map<std::string, Run> runs;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Run& run = runs[std::string(rows.text(0, i))];
      run.length = rows.real(1, i);
      if (!(run.length > 0)) continue;
      auto& bytes = run.slices[rows.number(2, i)];
      bytes.first += rows.real(3, i);
      bytes.second += rows.real(4, i);
    }
  TRY_VOID(rows.status());
  for (const auto& [trace, run] : runs)
    if (!run.slices.empty()) list.push_back(as_json(trace, run));
  return list;
}

}  // namespace fathom::dashboard
