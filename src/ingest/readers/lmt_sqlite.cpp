// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "ingest/lustre_parameter.h"
#include "ingest/metadata_operations.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

constexpr std::string_view magic("SQLite format 3\0", 16);

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

Error failure(const std::string& path, std::string_view attempted, sqlite3* database) {
  return {ErrorKind::malformed,
          fmt::format("{} of {} as an LMT database: {}", attempted, path, database ? sqlite3_errmsg(database) : "out of memory")};
}

/// The file is only read, and nobody else's lock or journal is touched.
Result<Database> open_database(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  uri += "?mode=ro&immutable=1";
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(opened);
  if (status != SQLITE_OK) return failure(path, "opening", opened);
  // The schema is input as well: no functions, views or virtual tables of its making may run.
  sqlite3_drop_modules(opened, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, 1 << 20);
  return database;
}

Result<Statement> prepare(const std::string& path, sqlite3* database, const char* sql) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &prepared, nullptr) != SQLITE_OK) return failure(path, "reading the tables", database);
  return Statement(prepared);
}

/// A cell as text, valid until the next step; nothing for NULL.
std::optional<std::string_view> cell(sqlite3_stmt* row, int column) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  if (text == nullptr) return std::nullopt;
  return std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

Result<bool> has_table(const std::string& path, sqlite3* database, const char* name) {
  TRY(const Statement query,
      prepare(path, database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql NOT LIKE 'CREATE VIRTUAL%'"));
  sqlite3_bind_text(query.get(), 1, name, -1, SQLITE_STATIC);
  const int status = sqlite3_step(query.get());
  if (status != SQLITE_ROW && status != SQLITE_DONE) return failure(path, "reading the schema", database);
  return status == SQLITE_ROW;
}

Result<void> require_tables(const std::string& path, sqlite3* database) {
  for (const char* name : {"OST_DATA", "OST_INFO", "TIMESTAMP_INFO"}) {
    TRY(const bool there, has_table(path, database, name));
    if (!there)
      return Error{ErrorKind::unsupported,
                   fmt::format("reading {} as an LMT database: it is an SQLite file without the table {}", path, name)};
  }
  return {};
}

using SeriesOfId = std::unordered_map<std::int64_t, SeriesId>;

/// A file system's name stands two tables away from its OSTs; an OSS may be listed once per host, hence no plain join.
Result<SeriesOfId> read_osts(const std::string& path, sqlite3* database, Harvest& harvest) {
  bool named = true;
  for (const char* name : {"OSS_INFO", "FILESYSTEM_INFO"}) {
    TRY(const bool there, has_table(path, database, name));
    named = named && there;
  }
  TRY(const Statement osts,
      prepare(path, database,
              named ? "SELECT OST_ID, OST_NAME, (SELECT FILESYSTEM_NAME FROM OSS_INFO JOIN FILESYSTEM_INFO USING (FILESYSTEM_ID)"
                      " WHERE OSS_INFO.OSS_ID = OST_INFO.OSS_ID LIMIT 1) FROM OST_INFO"
                    : "SELECT OST_ID, OST_NAME, NULL FROM OST_INFO"));
  SeriesOfId series;
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(osts.get())) == SQLITE_ROW) {
    const std::string name(cell(osts.get(), 1).value_or(""));
    if (name.empty()) continue;  // its data is then rejected row by row
    const std::string filesystem(cell(osts.get(), 2).value_or(""));
    series[sqlite3_column_int64(osts.get(), 0)] = harvest.series(name, filesystem.empty() ? lustre_filesystem(name) : filesystem);
  }
  if (status != SQLITE_DONE) return failure(path, "reading OST_INFO", database);
  return series;
}

/// Metadata servers; none where the database does not have them.
Result<SeriesOfId> read_mdss(const std::string& path, sqlite3* database, Harvest& harvest) {
  SeriesOfId series;
  for (const char* name : {"MDS_OPS_DATA", "MDS_INFO", "OPERATION_INFO"}) {
    TRY(const bool there, has_table(path, database, name));
    if (!there) return series;
  }
  TRY(const bool named, has_table(path, database, "FILESYSTEM_INFO"));
  TRY(const Statement mdss, prepare(path, database,
                                    named ? "SELECT MDS_ID, MDS_NAME, (SELECT FILESYSTEM_NAME FROM FILESYSTEM_INFO WHERE "
                                            "FILESYSTEM_INFO.FILESYSTEM_ID = MDS_INFO.FILESYSTEM_ID LIMIT 1) FROM MDS_INFO"
                                          : "SELECT MDS_ID, MDS_NAME, NULL FROM MDS_INFO"));
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(mdss.get())) == SQLITE_ROW) {
    const std::string name(cell(mdss.get(), 1).value_or(""));
    if (name.empty()) continue;
    const std::string filesystem(cell(mdss.get(), 2).value_or(""));
    series[sqlite3_column_int64(mdss.get(), 0)] = harvest.series(name, filesystem.empty() ? lustre_filesystem(name) : filesystem);
  }
  if (status != SQLITE_DONE) return failure(path, "reading MDS_INFO", database);
  return series;
}

/// Times as LMT writes them, `2018-01-28 00:00:05`; rows of one time follow each other.
class Clock {
 public:
  Clock(const ReadOptions& options, Harvest& harvest) : options_(options), harvest_(harvest) {}

  /// no_time where it is none.
  Time read(std::string_view stamp) {
    if (stamp == last_stamp_) return last_time_;
    last_stamp_ = stamp;
    const auto reading = parse_iso8601(stamp);
    if (reading && !reading->offset_seconds && !options_.timezone)
      harvest_.notice("times carry no zone: taken as UTC (--timezone to change)");
    last_time_ = reading ? reading->in(options_.timezone.value_or(Zone{})) : no_time;
    return last_time_;
  }

 private:
  const ReadOptions& options_;
  Harvest& harvest_;
  std::string last_stamp_;
  Time last_time_ = no_time;
};

/// Turns rows of MDS_ID, TIMESTAMP, OPERATION_NAME, SAMPLES, those of one server and time together, into samples: one row per operation.
class OperationReader {
 public:
  OperationReader(const ReadOptions& options, const SeriesOfId& series, Harvest& harvest)
      : clock_(options, harvest), series_(series), harvest_(harvest) {}

  void row(sqlite3_stmt* row, std::uint64_t number) {
    const auto found = series_.find(sqlite3_column_int64(row, 0));
    if (found == series_.end()) return harvest_.reject(number, cell(row, 0).value_or("NULL"), "an MDS that MDS_INFO does not name");
    const auto stamp = cell(row, 1);
    if (!stamp) return harvest_.reject(number, "", "a TS_ID that TIMESTAMP_INFO does not know");
    const Time t = clock_.read(*stamp);
    if (t == no_time) return harvest_.reject(number, *stamp, "a timestamp that is not a time");
    if (t != sample_.t || found->second != sample_.series) {
      deliver();
      sample_.t = t;
      sample_.series = found->second;
    }
    const std::string_view name = cell(row, 2).value_or("");
    const auto operation = MetadataOperations::place_of(name);
    if (!operation) return;
    const auto text = cell(row, 3);
    const auto samples = text ? parse_u64(*text) : std::nullopt;
    if (!samples) {
      operations_.spoil();
      return text ? harvest_.reject(number, *text, "a counter that is not a whole number") : void();
    }
    operations_.set(*operation, *samples);
    if (name == "open" || name == "close") {
      const Counter counter = name == "open" ? Counter::opens : Counter::closes;
      sample_.has |= mask(counter);
      sample_.values[index(counter)] = *samples;
    }
  }

  void deliver() {
    if (const auto sum = operations_.sum(); sum && operations_.any()) {
      sample_.has |= mask(Counter::metadata_ops);
      sample_.values[index(Counter::metadata_ops)] = *sum;
    }
    if (sample_.has != 0) harvest_.sample(sample_);
    sample_ = {};
    operations_ = {};
  }

 private:
  Clock clock_;
  const SeriesOfId& series_;
  Harvest& harvest_;
  Sample sample_;
  MetadataOperations operations_;
};

/// Turns rows of OST_ID, TIMESTAMP, READ_BYTES, WRITE_BYTES into samples.
class RowReader {
 public:
  RowReader(const ReadOptions& options, const SeriesOfId& series, Harvest& harvest)
      : clock_(options, harvest), series_(series), harvest_(harvest) {}

  void row(sqlite3_stmt* row, std::uint64_t number) {
    const auto found = series_.find(sqlite3_column_int64(row, 0));
    if (found == series_.end()) return harvest_.reject(number, cell(row, 0).value_or("NULL"), "an OST that OST_INFO does not name");
    const auto stamp = cell(row, 1);
    if (!stamp) return harvest_.reject(number, "", "a TS_ID that TIMESTAMP_INFO does not know");
    const Time t = clock_.read(*stamp);
    if (t == no_time) return harvest_.reject(number, *stamp, "a timestamp that is not a time");
    Sample sample;
    sample.t = t;
    sample.series = found->second;
    for (int i = 0; i < 2; ++i) {
      const Counter counter = i == 0 ? Counter::read_bytes : Counter::write_bytes;
      const auto text = cell(row, 2 + i);
      if (!text) continue;
      const auto value = parse_u64(*text);
      if (!value) return harvest_.reject(number, *text, "a counter that is not a whole number");
      sample.has |= mask(counter);
      sample.values[index(counter)] = *value;
    }
    if (sample.has == 0) return harvest_.leave_out("row without values (NULL)");
    harvest_.sample(sample);
  }

 private:
  Clock clock_;
  const SeriesOfId& series_;
  Harvest& harvest_;
};

/// All rows of a query; `first` is the number of rows before it.
template <class Reader>
Result<std::uint64_t> read_all(const std::string& path, sqlite3* database, const char* sql, std::string_view table, std::uint64_t first,
                               Reader& reader) {
  TRY(const Statement rows, prepare(path, database, sql));
  std::uint64_t number = first;
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(rows.get())) == SQLITE_ROW) reader.row(rows.get(), ++number);
  if (status != SQLITE_DONE) return failure(path, fmt::format("reading row {} of {}", number - first + 1, table), database);
  return number;
}

Result<void> read_database(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  const std::string& path = input.path();
  if (!input.peek(magic.size()).starts_with(magic))
    return Error{ErrorKind::malformed, fmt::format("reading {} as an LMT database: it is no SQLite file", path)};
  TRY(const Database database, open_database(path));
  TRY_VOID(require_tables(path, database.get()));
  struct stat journal {};
  if (::stat((path + "-wal").c_str(), &journal) == 0 && journal.st_size > 0)
    harvest.notice("a write-ahead log lies beside the database: what is only in it was not read");
  TRY(const SeriesOfId osts, read_osts(path, database.get(), harvest));
  RowReader data(options, osts, harvest);
  TRY(std::uint64_t rows, read_all(path, database.get(),
                                   "SELECT OST_ID, TIMESTAMP, READ_BYTES, WRITE_BYTES FROM OST_DATA LEFT JOIN TIMESTAMP_INFO USING (TS_ID)",
                                   "OST_DATA", 0, data));
  TRY(const SeriesOfId mdss, read_mdss(path, database.get(), harvest));
  if (!mdss.empty()) {
    OperationReader operations(options, mdss, harvest);
    TRY(rows, read_all(path, database.get(),
                       "SELECT MDS_ID, TIMESTAMP, OPERATION_NAME, SAMPLES FROM MDS_OPS_DATA LEFT JOIN TIMESTAMP_INFO USING (TS_ID) LEFT "
                       "JOIN OPERATION_INFO USING (OPERATION_ID) "
                       "ORDER BY MDS_ID, TS_ID",
                       "MDS_OPS_DATA", rows, operations));
    operations.deliver();
  }
  harvest.lines(rows);
  while (input.next_block()) {  // so that the file's hash is that of all its bytes
  }
  return input.status();
}

}  // namespace

extern const Reader lmt_sqlite;
constinit const Reader lmt_sqlite{
    .name = "lmt_sqlite",
    .summary = "LMT (Lustre Monitoring Tool) database, schema 1.1, as an SQLite file",
    .details =
        "A database of the Lustre Monitoring Tool in schema 1.1, exported from MySQL into SQLite with the same tables. From OST_DATA, "
        "every 5 s by default, READ_BYTES and WRITE_BYTES of each OST are taken, as running totals; the server is the OST's name in "
        "OST_INFO, the file system the one of its OSS in FILESYSTEM_INFO (else the part of the OST's name before `-OST`). Operations "
        "on data are not in this schema.\n\n"
        "From MDS_OPS_DATA, where there is one, the opens, closes and metadata operations of each MDT are taken: the sum of SAMPLES over "
        "the operations "
        "that lustre_stats counts too.\n\n"
        "Times have no zone: they are UTC unless `--timezone` says otherwise. Gaps are missing rows; rows whose counters are NULL are "
        "left out. The file is opened read-only and as immutable: a database that is being written to should be copied first "
        "(`.backup`), and a packed one (.gz) unpacked.",
    .example =
        "OST_DATA        OST_ID=18  TS_ID=8921898  READ_BYTES=16138440060928  WRITE_BYTES=34989421519035\n"
        "OST_INFO        OST_ID=18  OSS_ID=18  OST_NAME=snx11025-OST0011\n"
        "TIMESTAMP_INFO  TS_ID=8921898  TIMESTAMP=2018-01-28 00:00:00\n",
    .recognises = [](std::string_view first_bytes, std::string_view) { return first_bytes.starts_with(magic); },
    .read = read_database};

}  // namespace fathom
