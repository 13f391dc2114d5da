// SPDX-License-Identifier: Apache-2.0
#include "ingest/remove.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/job_book.h"
#include "ingest/merger.h"
#include "ingest/run.h"

namespace fathom {
namespace {

Result<RemoveReport> find_source(Transaction& transaction, const std::string& source) {
  const auto id = parse_u64(source);
  const std::string match = id ? fmt::format("id = {} OR name = {}", *id, sql_text(source)) : fmt::format("name = {}", sql_text(source));
  TRY(Rows rows,
      transaction.database().query(fmt::format("SELECT id, name FROM {} WHERE {} ORDER BY id", transaction.rows_of(sources_table), match)));
  std::vector<RemoveReport> found;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      found.push_back({static_cast<SourceId>(rows.number(0, i)), std::string(rows.text(1, i)), 0, 0, {}});
  TRY_VOID(rows.status());
  if (found.empty())
    return Error{ErrorKind::not_found,
                 fmt::format("removing source {}: the store has none of that id or name ('fathom info' lists them)", source)};
  if (found.size() > 1) {
    std::string ids;
    for (const RemoveReport& report : found) ids += fmt::format(" {}", report.id);
    return Error{ErrorKind::usage,
                 fmt::format("removing source {}: {} sources have that name; say which by its id:{}", source, found.size(), ids)};
  }
  return found.front();
}

}  // namespace

Result<RemoveReport> remove_source(Transaction& transaction, const std::string& source) {
  TRY(RemoveReport report, find_source(transaction, source));
  Merger merger(transaction);
  TRY_VOID(merger.begin());
  TRY(report.samples, merger.remove_source(report.id));
  TRY(report.jobs, JobBook::remove_source(transaction, report.id));
  TRY_VOID(remove_runs(transaction, report.id));

  // A file of whose readings or jobs another one's were kept may have lost them with it: its hash is forgotten, so that it can come again.
  // It is named each time, also when an earlier removal forgot its hash: nobody knows which of both took what.
  const std::string overlapping = fmt::format("overlapping > 0 AND id <> {}", report.id);
  TRY(Rows rows, transaction.database().query(fmt::format("SELECT name FROM {} WHERE {} GROUP BY name ORDER BY max(id)",
                                                          transaction.rows_of(sources_table), overlapping)));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) report.ingest_again.emplace_back(rows.text(0, i));
  TRY_VOID(rows.status());
  std::vector<Segment> segments;
  for (const Segment* segment : transaction.manifest().of(sources_table.name)) segments.push_back(*segment);
  for (const Segment& segment : segments)
    TRY_VOID(
        transaction.rewrite(segment, fmt::format("SELECT * REPLACE (CASE WHEN {} THEN '' ELSE hash END AS hash) FROM {} WHERE id <> {}",
                                                 overlapping, transaction.rows_of(segment), report.id)));
  TRY_VOID(transaction.commit());
  return report;
}

}  // namespace fathom
