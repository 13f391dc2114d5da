// SPDX-License-Identifier: Apache-2.0
#include "store/load_counters.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/filesystems.h"

namespace fathom {

bool LoadCounters::takes(const SeriesName& name) const {
  if (!servers.contains(name.server)) return false;  // it counts something else
  if (name.filesystem.empty() && with_filesystems.contains(name.server)) return false;
  return name.job.empty() || !untagged.contains({name.server, name.filesystem});
}

Result<LoadCounters> load_counters(const Snapshot& snapshot, const std::string& filesystem, LoadOf what) {
  constexpr std::string_view counts_metadata =
      "coalesce(first_metadata_ops, first_opens + first_closes + first_dirs + first_inode_updates) IS NOT NULL";
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows,
      database.query(fmt::format("SELECT server, coalesce(filesystem, ''), coalesce(job, '') = '' AS untagged, epoch_us(min(first_time)), "
                                 "epoch_us(max(last_time)) FROM {} WHERE {} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                                 snapshot.rows_of(extents_table), what == LoadOf::bytes ? extent_counts_bytes : counts_metadata)));
  LoadCounters chosen;
  chosen.filesystem = filesystem;
  std::set<std::string> names;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string server(rows.text(0, i)), of(rows.text(1, i));
      names.insert(of);
      if (!filesystem.empty() && of != filesystem) continue;
      chosen.servers.insert(server);
      if (!of.empty()) chosen.filesystems.insert(of);
      if (!of.empty()) chosen.with_filesystems.insert(server);
      if (rows.number(2, i) != 0) chosen.untagged.emplace(server, of);
      const Time first = time_from_micros(rows.number(3, i)), last = time_from_micros(rows.number(4, i));
      chosen.from = chosen.from == no_time ? first : std::min(chosen.from, first);
      chosen.to = chosen.to == no_time ? last : std::max(chosen.to, last);
    }
  TRY_VOID(rows.status());
  if (chosen.to != no_time) return chosen;
  if (names.empty()) return Error{ErrorKind::not_found, "looking at the load: the store has no counters"};
  return no_such_filesystem("looking at the load", filesystem, names);
}

}  // namespace fathom
