// SPDX-License-Identifier: Apache-2.0
#include "mine/dossier.h"

#include <fmt/format.h>

#include <algorithm>

#include "mine/burst_book.h"
#include "mine/mining.h"

namespace fathom::mine {

const BurstLog& Dossier::log_of(const Pattern& pattern) const {
  return *std::find_if(logs.begin(), logs.end(),
                       [&](const BurstLog& log) { return log.filesystem == pattern.filesystem && log.direction == pattern.direction; });
}

Result<Dossier> dossier_of(const Snapshot& snapshot, Database& database, const ApplicationName& name, const PatternSettings& settings) {
  Dossier dossier;
  TRY(const std::vector<Block> blocks, read_blocks(snapshot, database));
  if (blocks.empty()) return Error{ErrorKind::not_found, "looking at an application: the store was not mined yet; run fathom mine first"};
  dossier.logs = logs_of(blocks);
  std::size_t left_out = 0;
  TRY(std::vector<Application> all, applications_of(snapshot, database, no_time, no_time, left_out));
  const auto found = std::find_if(all.begin(), all.end(), [&](const Application& each) { return each.name == name; });
  if (found == all.end())
    return Error{ErrorKind::not_found,
                 fmt::format("looking at application {}/{}/{}: the store has no runs of it", name.user, name.name, name.nodes)};
  dossier.application = std::move(*found);
  Time until = no_time;
  for (const BurstLog& log : dossier.logs)
    if (!log.seen.empty()) until = std::max(until, log.seen.back().to);
  const std::vector<TimedLog> timed(dossier.logs.begin(), dossier.logs.end());
  dossier.finding = examine(dossier.application, timed, until, settings);
  return dossier;
}

Result<ApplicationName> find_application(const Snapshot& snapshot, Database& database, const std::string& text) {
  TRY(Rows rows,
      database.query(fmt::format("SELECT DISTINCT coalesce(user_name, ''), coalesce(name, ''), coalesce(nodes, 0) FROM {} ORDER BY 1, 2, 3",
                                 snapshot.rows_of(jobs_table))));
  std::vector<ApplicationName> fitting;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ApplicationName name{std::string(rows.text(0, i)), std::string(rows.text(1, i)), static_cast<std::uint32_t>(rows.number(2, i))};
      const std::string whole = fmt::format("{}/{}/{}", name.user, name.name, name.nodes);
      if (text == whole || text == fmt::format("{}/{}", name.user, name.name) || text == fmt::format("{}/{}", name.name, name.nodes) ||
          text == name.name)
        fitting.push_back(std::move(name));
    }
  TRY_VOID(rows.status());
  if (fitting.empty())
    return Error{
        ErrorKind::not_found,
        fmt::format("looking for application {}: the store has no jobs of that user, name and node count (USER/NAME/NODES)", text)};
  if (fitting.size() == 1) return fitting.front();
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(fitting.size(), 5); ++i)
    list += fmt::format("{}{}/{}/{}", i == 0 ? "" : ", ", fitting[i].user, fitting[i].name, fitting[i].nodes);
  return Error{ErrorKind::usage, fmt::format("looking for application {}: {} have that name; choose one: {}{}", text, fitting.size(), list,
                                             fitting.size() > 5 ? ", ..." : "")};
}

}  // namespace fathom::mine
