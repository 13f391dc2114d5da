// SPDX-License-Identifier: Apache-2.0
#include "store/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/increment.h"
#include "store/survey.h"

namespace fathom {

Result<Coverage> Coverage::of(const Snapshot& snapshot, Database& database) {
  TRY(const StoreSurvey surveyed, survey(snapshot, database));
  std::map<SeriesName, const SeriesSurvey*> known;
  for (const SeriesSurvey& series : surveyed.series)
    if (series.counts) known[series.name] = &series;
  Coverage coverage;
  TRY(Rows rows, database.query(fmt::format(
                     "SELECT server, filesystem, coalesce(job, ''), start_time, end_time FROM {} WHERE flags & {} = 0 ORDER BY 1, 2, 3, 5",
                     snapshot.rows_of(increments_table), static_cast<int>(unmeasured_flags))));
  SeriesName name;
  Series* series = nullptr;
  bool any = false, counts = false;
  Duration longest{};
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!any || rows.text(0, i) != name.server || rows.text(1, i) != name.filesystem || rows.text(2, i) != name.job) {
        name = {std::string(rows.text(0, i)), std::string(rows.text(1, i)), std::string(rows.text(2, i))};
        any = true;
        const auto found = known.find(name);
        counts = found != known.end();
        if (counts) {
          longest = Duration{static_cast<std::int64_t>(gap_factor * static_cast<double>(found->second->usual_interval.count()))};
          series = &coverage.servers_[name.server].emplace_back();
        }
      }
      if (!counts) continue;  // another series of the server counts the same bytes
      const Stretch stretch{rows.time(3, i), rows.time(4, i)};
      if (stretch.end - stretch.start > longest) continue;
      if (!series->empty() && series->back().end == stretch.start) {
        series->back().end = stretch.end;
      } else {
        series->push_back(stretch);
      }
    }
  }
  TRY_VOID(rows.status());
  return coverage;
}

std::optional<double> Coverage::share(const std::vector<std::string>& servers, Time start, Time end) const {
  if (servers.empty() || end <= start) return std::nullopt;
  double total = 0;
  for (const std::string& server : servers) {
    const auto found = servers_.find(server);
    if (found == servers_.end()) continue;
    double of_server = 0;
    for (const Series& series : found->second) {
      auto at = std::lower_bound(series.begin(), series.end(), start, [](const Stretch& s, Time t) { return s.end <= t; });
      Duration covered{};
      for (; at != series.end() && at->start < end; ++at) covered += std::min(at->end, end) - std::max(at->start, start);
      of_server += static_cast<double>(covered.count()) / static_cast<double>((end - start).count());
    }
    total += of_server / static_cast<double>(found->second.size());
  }
  return total / static_cast<double>(servers.size());
}

}  // namespace fathom
