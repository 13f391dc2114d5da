// SPDX-License-Identifier: Apache-2.0
/// A store: a directory of Parquet segments under one manifest. Many may read while one writes.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/files.h"
#include "store/manifest.h"
#include "store/schema.h"

namespace fathom {

/// A segment's file and the format in which it was written.
struct SegmentFile {
  std::string path;
  int format = Manifest::current_format;
};

/// SQL for the rows of a table in the files given; an empty relation of the right shape when there are none. Columns that an older
/// format did not have are null.
std::string relation(const TableSchema& table, const std::vector<SegmentFile>& files);

/// SQL, for rows of extents: the series counts bytes. A metadata server does not.
inline constexpr std::string_view extent_counts_bytes =
    "coalesce(first_read_bytes, first_write_bytes, last_read_bytes, last_write_bytes) IS NOT NULL";

/// A moment of a store, held open: later commits and deletions do not disturb who reads it.
class Snapshot {
 public:
  const Manifest& manifest() const { return manifest_; }
  /// SQL for the rows of a table, of UTC days in [from, to]: SELECT ... FROM <this>.
  std::string rows_of(const TableSchema& table, std::int32_t from = INT32_MIN, std::int32_t to = INT32_MAX) const;
  /// The same of one segment, whose table this program must know.
  std::string rows_of(const Segment& segment) const;
  /// A file that stays readable as long as this object lives.
  std::string pinned_path(const Segment& segment) const;
  /// The files of a table, of UTC days in [from, to].
  std::vector<SegmentFile> files_of(const TableSchema& table, std::int32_t from = INT32_MIN, std::int32_t to = INT32_MAX) const;

 private:
  friend class Store;
  Manifest manifest_;
  std::vector<Descriptor> pins_;  // one per segment, same order
};

class Transaction;

class Store {
 public:
  /// An existing store, for reading; nothing is written.
  static Result<Store> open(const std::string& path);
  /// For writing: created where the path does not exist or is an empty directory.
  static Result<Store> open_or_create(const std::string& path);

  const std::string& path() const { return path_; }
  Result<Snapshot> snapshot() const;
  /// Waits for other writers (`waiting` is called once then), finishes an interrupted commit, and starts a change.
  Result<Transaction> begin(
      const DatabaseOptions& options = {}, const std::function<void()>& waiting = [] {}) const;

 private:
  explicit Store(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// A change under way. Nothing of it is seen by others before commit(); dropped without commit, nothing ever was.
class Transaction {
 public:
  Transaction(Transaction&&) noexcept = default;
  Transaction& operator=(Transaction&&) noexcept = default;
  ~Transaction();

  Database& database() { return database_; }
  /// As it will be after commit: what was staged is in it, what was retired is not.
  const Manifest& manifest() const { return manifest_; }
  Manifest& edit() { return manifest_; }
  std::string rows_of(const TableSchema& table, std::int32_t from = INT32_MIN, std::int32_t to = INT32_MAX) const;
  std::string rows_of(const Segment& segment) const;
  std::vector<SegmentFile> files_of(const TableSchema& table, std::int32_t from = INT32_MIN, std::int32_t to = INT32_MAX) const;

  /// Rows for one day's partition (day is ignored for tables that are not partitioned); no rows, no segment.
  Result<void> stage(const Columns& rows, std::int32_t day);
  /// The same, written by another thread; part of the change after settle(), which every look at segments needs first.
  Result<void> stage_later(std::shared_ptr<const Columns> rows, std::int32_t day);
  Result<void> settle();
  Result<void> stage_query(const TableSchema& table, std::int32_t day, const std::string& select,
                           const std::vector<FooterNote>& notes = {});
  /// Takes a segment out.
  void retire(const std::string& segment_path);
  /// Replaces a segment by what a SELECT leaves of it.
  Result<void> rewrite(const Segment& segment, const std::string& select);

  bool changed() const { return changed_; }
  void touch() { changed_ = true; }
  /// Makes the change permanent, all of it or nothing, and starts the next one.
  Result<void> commit();

 private:
  friend class Store;
  Transaction(std::string path, Descriptor lock, Manifest manifest, Database database);
  std::string file_of(const Segment& segment) const;
  std::string staging() const;
  std::string next_staged_file();
  struct Written {
    std::string hash;
    std::uint64_t bytes = 0;
  };
  struct Pending {
    std::shared_ptr<const Columns> rows;
    std::int32_t day;
    std::string staged;
    std::future<Result<Written>> written;
  };
  /// Flushes a staged file to disk and reads its hash.
  static Result<Written> seal(const std::string& file);
  Result<void> register_segment(const TableSchema& table, std::int32_t day, const std::string& staged, std::uint64_t rows);
  void add_segment(const TableSchema& table, std::int32_t day, const std::string& staged, std::uint64_t rows, Written written);

  std::string path_;
  Descriptor lock_;
  Manifest committed_;
  Manifest manifest_;
  Database database_;
  std::uint64_t files_ = 0;
  std::vector<Pending> pending_;
  bool changed_ = false;
  bool staging_is_committed_ = false;  // a commit that could not be finished: the manifest names staged files
};

/// Moves staged files of the last commit into place and deletes what it took out; harmless when all is done.
Result<void> finish_commit(const std::string& store, const Manifest& manifest);

}  // namespace fathom
