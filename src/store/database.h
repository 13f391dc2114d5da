// SPDX-License-Identifier: Apache-2.0
/// An embedded DuckDB, seen through queries, rows and segment files; its exceptions and error codes stop here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "store/columns.h"
#include "store/parquet_writer.h"

namespace fathom {

/// The rows of a query, a chunk at a time.
class Rows {
 public:
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;
  ~Rows();

  /// Moves to the next chunk; false at the end or on failure (then status() says why).
  bool next();
  std::size_t size() const;
  std::size_t columns() const;
  bool is_null(std::size_t column, std::size_t row) const;
  std::int64_t number(std::size_t column, std::size_t row) const;  // integers, times (microseconds), booleans
  double real(std::size_t column, std::size_t row) const;
  std::string_view text(std::size_t column, std::size_t row) const;  // valid until next()
  std::vector<std::string> text_list(std::size_t column, std::size_t row) const;
  Time time(std::size_t column, std::size_t row) const { return is_null(column, row) ? no_time : time_from_micros(number(column, row)); }
  /// The chunk's values of a BIGINT or TIMESTAMP column, and the bit mask of those that are not null (null: all).
  const std::int64_t* numbers(std::size_t column) const;
  const std::uint64_t* validity(std::size_t column) const;
  /// The first row after `begin` in the chunk whose text differs in one of the columns [0, columns); the chunk's size if none does.
  std::size_t end_of_run(std::size_t columns, std::size_t begin) const;
  Result<void> status() const;

 private:
  friend class Database;
  struct State;
  explicit Rows(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct DatabaseOptions {
  unsigned threads = 0;  // 0: one per core
  std::size_t memory_limit = 512u << 20;
  std::string scratch_directory{};  // where sorting may spill; empty: nowhere
  std::string progress_title{};     // of the bar that a long query() shows on a terminal; empty: none
};

std::string engine_version();  // of the library that is loaded: v1.4.4

class Database {
 public:
  static Result<Database> open(const DatabaseOptions& options);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Rows> query(const std::string& sql);
  Result<void> run(const std::string& sql);
  /// A query with one row and one column of numbers; null gives 0.
  Result<std::int64_t> number(const std::string& sql);

  /// Writes rows as a Parquet file, in the order they have.
  Result<void> write_parquet(const Columns& rows, const std::string& path, const std::vector<FooterNote>& notes = {});
  /// Writes the rows of a query as a Parquet file.
  Result<void> write_parquet(const std::string& select, const std::string& path, const std::vector<FooterNote>& notes = {});
  /// Makes rows available to queries as a table of that name until the next call with it (small look-up tables).
  Result<void> create_table(const std::string& name, const Columns& rows);

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A text as an SQL literal.
std::string sql_text(std::string_view text);

}  // namespace fathom
