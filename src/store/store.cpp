// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <map>

#include "base/talk.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// A snapshot holds every segment open; the usual soft limit of 1024 is too low for a collector's day.
void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

Descriptor open_segment(const std::string& store, const Segment& segment) {
  Descriptor file(::open((store + "/" + segment.path).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() && !segment.staged.empty()) file = Descriptor(::open((store + "/" + segment.staged).c_str(), O_RDONLY | O_CLOEXEC));
  // It may have been moved into place between the two attempts.
  if (!file.open()) file = Descriptor(::open((store + "/" + segment.path).c_str(), O_RDONLY | O_CLOEXEC));
  return file;
}

}  // namespace

/// The columns of a table as a segment of this format has them; 0: none of them. Whatever types a file from elsewhere has, rows have those
/// of the table: who reads them looks at memory as what it should be. Where they are the same, which they are, this costs nothing.
static std::string column_list(const TableSchema& table, int format) {
  std::string names;
  for (const ColumnSchema& column : table.columns)
    names += fmt::format("{}{}::{} AS {}", names.empty() ? "" : ", ", column.since <= format ? column.name : "NULL", sql_type(column.type),
                         column.name);
  return names;
}

std::string relation(const TableSchema& table, const std::vector<SegmentFile>& files) {
  if (files.empty()) return fmt::format("(SELECT {} WHERE false)", column_list(table, 0));
  // Files of one shape are read together. Asking the engine to find out by name would make it open all of them first.
  std::map<std::string, std::string> by_columns;
  for (const SegmentFile& file : files) {
    std::string& list = by_columns[column_list(table, file.format)];
    list += fmt::format("{}{}", list.empty() ? "" : ", ", sql_text(file.path));
  }
  std::string all;
  for (const auto& [columns, list] : by_columns)
    all += fmt::format("{}SELECT {} FROM read_parquet([{}], hive_partitioning = false)", all.empty() ? "" : " UNION ALL ", columns, list);
  return fmt::format("({})", all);
}

std::string Snapshot::pinned_path(const Segment& segment) const {
  const auto i = static_cast<std::size_t>(&segment - manifest_.segments.data());
  return fmt::format("/proc/self/fd/{}", pins_[i].get());
}

std::vector<SegmentFile> Snapshot::files_of(const TableSchema& table, std::int32_t from, std::int32_t to) const {
  std::vector<SegmentFile> files;
  for (const Segment* segment : manifest_.of(table.name, from, to)) files.push_back({pinned_path(*segment), segment->format});
  return files;
}

std::string Snapshot::rows_of(const TableSchema& table, std::int32_t from, std::int32_t to) const {
  return relation(table, files_of(table, from, to));
}

std::string Snapshot::rows_of(const Segment& segment) const {
  return relation(*table_named(segment.table), {{pinned_path(segment), segment.format}});
}

Result<Store> Store::open(const std::string& path) {
  if (!fs::exists(path)) return Error{ErrorKind::not_found, fmt::format("opening store {}: there is no such directory", path)};
  if (!has_manifest(path))
    return Error{ErrorKind::not_found, fmt::format("opening store {}: it is not a fathom store (no manifest.json)", path)};
  raise_open_file_limit();
  Store store(path);
  TRY(Manifest checked, load_manifest(path));
  (void)checked;
  return store;
}

Result<Store> Store::open_or_create(const std::string& path) {
  if (has_manifest(path)) return open(path);
  std::error_code problem;
  if (fs::exists(path, problem)) {
    if (!fs::is_directory(path)) return Error{ErrorKind::unwritable, fmt::format("creating store {}: a file of that name exists", path)};
    for (const auto& entry : fs::directory_iterator(path, problem)) {
      const auto name = entry.path().filename();
      // What a creation that was killed leaves behind.
      if (name == "lock" || name == "manifest.json.new") continue;
      // Somebody else may have created it since: the manifest comes before all else.
      if (has_manifest(path)) return open(path);
      return Error{ErrorKind::unwritable,
                   fmt::format("creating store {}: the directory exists, is not empty and is not a fathom store", path)};
    }
  }
  TRY_VOID(make_directories(path));
  raise_open_file_limit();
  TRY(const Descriptor lock, lock_file(path + "/lock", [] {}));
  if (!has_manifest(path)) TRY_VOID(save_manifest(path, Manifest{}));
  return Store(path);
}

Result<Snapshot> Store::snapshot() const {
  // A writer may take segments out between reading the manifest and opening them; then there is a newer manifest.
  for (int attempt = 0; attempt < 100; ++attempt) {
    TRY(Manifest manifest, load_manifest(path_));
    Snapshot snapshot;
    bool complete = true;
    std::string missing;
    for (const Segment& segment : manifest.segments) {
      Descriptor file = open_segment(path_, segment);
      if (!file.open()) {
        complete = false;
        missing = segment.path;
        break;
      }
      snapshot.pins_.push_back(std::move(file));
    }
    const std::uint64_t commit = manifest.commit;
    if (complete) {
      tell_step("reading store {}: commit {}, {} segments", path_, commit, manifest.segments.size());
      snapshot.manifest_ = std::move(manifest);
      return snapshot;
    }
    TRY(const Manifest again, load_manifest(path_));
    if (again.commit == commit)
      return Error{ErrorKind::damaged,
                   fmt::format("reading store {}: {} is missing or cannot be opened; 'fathom check' tells more", path_, missing)};
  }
  return Error{ErrorKind::busy, fmt::format("reading store {}: it changes faster than it can be opened", path_)};
}

Result<Transaction> Store::begin(const DatabaseOptions& options, const std::function<void()>& waiting) const {
  TRY(Descriptor lock, lock_file(path_ + "/lock", waiting));
  TRY(Manifest manifest, load_manifest(path_));
  TRY_VOID(finish_commit(path_, manifest));
  remove_quietly(path_ + "/staging");
  TRY_VOID(make_directories(path_ + "/staging"));
  DatabaseOptions with_scratch = options;
  if (with_scratch.scratch_directory.empty()) with_scratch.scratch_directory = path_ + "/staging/scratch";
  TRY(Database database, Database::open(with_scratch));
  return Transaction(path_, std::move(lock), std::move(manifest), std::move(database));
}

}  // namespace fathom
