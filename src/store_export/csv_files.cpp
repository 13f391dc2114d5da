// SPDX-License-Identifier: Apache-2.0
#include "store_export/csv_files.h"

#include <fmt/format.h>

#include "characterise/study.h"
#include "model/counters.h"
#include "store/files.h"

namespace fathom {
namespace {

/// Unix seconds, exact to the microsecond.
std::string unix_time(std::string_view column) {
  return fmt::format(
      "CASE WHEN epoch_us({0}) % 1000000 = 0 THEN (epoch_us({0}) // 1000000)::VARCHAR ELSE printf('%d.%06d', epoch_us({0}) // 1000000, "
      "epoch_us({0}) % 1000000) END",
      column);
}

/// A record ends with its line, for the readers of this program and many others.
std::string one_line(std::string_view text) { return fmt::format("translate({}, chr(10) || chr(13), '  ')", text); }

std::string csv_value(const ColumnSchema& column) {
  switch (column.type) {
    case ColumnType::time: return unix_time(column.name);
    case ColumnType::text: return one_line(column.name);
    case ColumnType::text_list: return one_line(fmt::format("array_to_string({}, ';')", column.name));
    default: return std::string(column.name);
  }
}

class CsvFiles {
 public:
  CsvFiles(const Snapshot& snapshot, std::string folder, Database database)
      : snapshot_(snapshot), folder_(std::move(folder)), database_(std::move(database)) {}

  Result<CsvAccount> write() {
    TRY_VOID(write_jobs());
    TRY_VOID(write_counters());
    TRY_VOID(write_tables());
    return std::move(account_);
  }

 private:
  Result<void> copy(const std::string& select, const std::string& file) {
    if (auto copied = database_.run(fmt::format("COPY ({}) TO {} (FORMAT csv, HEADER true)", select, sql_text(folder_ + "/" + file)));
        !copied)
      return Error{ErrorKind::unwritable, fmt::format("writing {}/{}: {}", folder_, file, copied.error().message)};
    return {};
  }

  bool has(const TableSchema& table) const { return !snapshot_.manifest().of(table.name).empty(); }

  /// Under the names of the reader jobs_csv.
  Result<void> write_jobs() {
    if (!has(jobs_table)) return {};
    account_.jobs = true;
    std::string columns;
    for (const ColumnSchema& column : jobs_table.columns) {
      static constexpr std::pair<std::string_view, std::string_view> names[] = {
          {"job_id", "job_id"},       {"user_name", "user"},
          {"name", "name"},           {"nodes", "nodes"},
          {"node_list", "node_list"}, {"servers", "servers"},
          {"submit_time", "submit"},  {"start_time", "start"},
          {"end_time", "end"},        {"time_limit_seconds", "timelimit"},
          {"state", "state"},         {"partition_name", "partition"}};
      for (const auto& [own, theirs] : names)
        if (own == column.name) columns += fmt::format("{}{} AS \"{}\"", columns.empty() ? "" : ", ", csv_value(column), theirs);
    }
    return copy(fmt::format("SELECT {} FROM {} ORDER BY start_time, job_id", columns, snapshot_.rows_of(jobs_table)), "jobs.csv");
  }

  Result<void> write_counters() {
    if (!has(increments_table)) return {};
    TRY(const std::vector<std::string> shared, shared_servers(snapshot_, database_));
    std::string list = "''";
    for (const std::string& server : shared) list += ", " + sql_text(server);
    std::string known;
    for (const std::string_view counter : counter_names) known += fmt::format("{}{}", known.empty() ? "" : ", ", counter);
    const std::string rows = snapshot_.rows_of(increments_table), measured = fmt::format("coalesce({}) IS NOT NULL", known);
    TRY_VOID(count(rows, measured));
    const auto write = [&](std::string_view which, const std::string& file, bool& written) -> Result<void> {
      const std::string from = fmt::format("{} WHERE {} AND server {} ({})", rows, measured, which, list);
      TRY(const std::int64_t some, database_.number(fmt::format("SELECT count(*) FROM {}", from)));
      written = some > 0;
      account_.counters += static_cast<std::uint64_t>(some);
      if (!written) return {};
      return copy(fmt::format("SELECT {} AS t, {} AS server, {} AS filesystem, {} AS job, {}, (epoch_us(end_time) - epoch_us(start_time)) "
                              "/ 1e6 AS step FROM {} "
                              "ORDER BY end_time, increments.server, increments.filesystem, increments.job",
                              unix_time("end_time"), one_line("server"), one_line("filesystem"), one_line("job"), known,
                              fmt::format("(SELECT * FROM {}) increments", from)),
                  file);
    };
    TRY_VOID(write("NOT IN", "counters.csv", account_.exclusive));
    return write("IN", "counters_shared.csv", account_.shared);
  }

  Result<void> count(const std::string& rows, const std::string& measured) {
    TRY(const std::int64_t unmeasured, database_.number(fmt::format("SELECT count(*) FROM {} WHERE NOT ({})", rows, measured)));
    account_.unmeasured = static_cast<std::uint64_t>(unmeasured);
    TRY(const std::int64_t stretched,
        database_.number(fmt::format(
            "SELECT count(*) FROM (SELECT start_time, lag(end_time) OVER (PARTITION BY server, filesystem, job ORDER BY end_time) "
            "AS before FROM {} WHERE {}) WHERE before <> start_time",
            rows, measured)));
    account_.stretched = static_cast<std::uint64_t>(stretched);
    return {};
  }

  /// All that no reader takes, under the names of docs/schema.md.
  Result<void> write_tables() {
    for (const TableSchema* table : all_tables()) {
      // Raw samples at the edges of days are there to join later files with; a log of amounts has none.
      if (!has(*table) || table == &jobs_table || table == &increments_table || table == &extents_table) continue;
      if (account_.tables.empty()) {
        TRY_VOID(make_directories(folder_ + "/tables"));
        TRY_VOID(replace_file(folder_ + "/tables/.fathom-ignore", "tables of a store; no logs\n"));
      }
      std::string columns;
      for (const ColumnSchema& column : table->columns)
        columns += fmt::format("{}{} AS \"{}\"", columns.empty() ? "" : ", ", csv_value(column), column.name);
      TRY_VOID(copy(fmt::format("SELECT {} FROM (SELECT * FROM {} ORDER BY {})", columns, snapshot_.rows_of(*table), table->order),
                    fmt::format("tables/{}.csv", table->name)));
      account_.tables.emplace_back(table->name);
    }
    return {};
  }

  const Snapshot& snapshot_;
  std::string folder_;
  Database database_;
  CsvAccount account_;
};

}  // namespace

Result<CsvAccount> write_csv_files(const Snapshot& snapshot, const std::string& folder) {
  TRY_VOID(make_directories(folder));
  DatabaseOptions options;
  options.scratch_directory = folder + "/.scratch";  // a month of increments is sorted, which may need more than memory
  Result<CsvAccount> written = [&]() -> Result<CsvAccount> {
    TRY(Database database, Database::open(options));
    return CsvFiles(snapshot, folder, std::move(database)).write();
  }();
  remove_quietly(options.scratch_directory);
  return written;
}

}  // namespace fathom
