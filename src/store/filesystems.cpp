// SPDX-License-Identifier: Apache-2.0
#include "store/filesystems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom {

Error no_such_filesystem(std::string_view attempt, const std::string& wanted, const std::set<std::string>& names) {
  std::set<std::string> named = names;
  const bool totals = named.erase("") > 0;
  const std::string there = !named.empty() ? fmt::format("it has {}{}", fmt::join(named, ", "), totals ? ", and totals of servers" : "")
                            : totals ? "its counters are totals of servers, which do not tell file systems apart: leave --filesystem out"
                                     : "it has none at all";
  return {ErrorKind::not_found, fmt::format("{} of file system {}: the store has no counters of it; {}", attempt, wanted, there)};
}

Result<void> require_filesystem(const Snapshot& snapshot, std::string_view attempt, const std::string& wanted, std::string_view which) {
  if (wanted.empty()) return {};
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows,
      database.query(fmt::format("SELECT DISTINCT coalesce(filesystem, '') FROM {} WHERE {}", snapshot.rows_of(extents_table), which)));
  std::set<std::string> names;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) names.emplace(rows.text(0, i));
  TRY_VOID(rows.status());
  if (names.empty() || names.contains(wanted)) return {};
  return no_such_filesystem(attempt, wanted, names);
}

}  // namespace fathom
