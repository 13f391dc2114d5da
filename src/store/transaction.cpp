// SPDX-License-Identifier: Apache-2.0
// How a change becomes permanent. Order matters; a kill at any line leaves the old or the new store, never a mixture:
//   1. segments are written below staging/ and flushed to disk
//   2. manifest.json is replaced: from here on the change is made
//   3. segments are renamed into the tables' folders, segments that were taken out are deleted
// A writer that finds 3 unfinished finishes it; a reader that finds a segment still below staging/ reads it there.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/input.h"
#include "store/parquet_writer.h"
#include "store/series_times.h"
#include "store/store.h"

namespace fathom {

namespace fs = std::filesystem;

Result<void> finish_commit(const std::string& store, const Manifest& manifest) {
  std::set<std::string> folders;
  for (const Segment& segment : manifest.segments) {
    if (segment.staged.empty()) continue;
    const std::string from = store + "/" + segment.staged, to = store + "/" + segment.path;
    std::error_code problem;
    if (!fs::exists(from, problem)) continue;
    const std::string folder = fs::path(to).parent_path();
    if (folders.insert(folder).second) TRY_VOID(make_directories(folder));
    TRY_VOID(rename_file(from, to));
  }
  for (const std::string& folder : folders) TRY_VOID(flush_to_disk(folder));
  for (const std::string& path : manifest.removed) {
    std::error_code ignored;
    fs::remove(store + "/" + path, ignored);
    fs::remove(fs::path(store + "/" + path).parent_path(), ignored);  // only if it is empty now
  }
  return {};
}

Transaction::Transaction(std::string path, Descriptor lock, Manifest manifest, Database database)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      committed_(manifest),
      manifest_(std::move(manifest)),
      database_(std::move(database)) {}

Transaction::~Transaction() {
  if (lock_.open() && !staging_is_committed_) remove_quietly(path_ + "/staging");
}

std::string Transaction::staging() const { return fmt::format("staging/{:06}", committed_.commit + 1); }

std::string Transaction::file_of(const Segment& segment) const {
  const bool still_staged = !segment.staged.empty() && fs::exists(path_ + "/" + segment.staged);
  return path_ + "/" + (still_staged ? segment.staged : segment.path);
}

std::vector<SegmentFile> Transaction::files_of(const TableSchema& table, std::int32_t from, std::int32_t to) const {
  std::vector<SegmentFile> files;
  for (const Segment* segment : manifest_.of(table.name, from, to)) files.push_back({file_of(*segment), segment->format});
  return files;
}

std::string Transaction::rows_of(const TableSchema& table, std::int32_t from, std::int32_t to) const {
  return relation(table, files_of(table, from, to));
}

std::string Transaction::rows_of(const Segment& segment) const {
  return relation(*table_named(segment.table), {{file_of(segment), segment.format}});
}

std::string Transaction::next_staged_file() { return fmt::format("{}/{}.parquet", staging(), files_++); }

Result<Transaction::Written> Transaction::seal(const std::string& file) {
  TRY_VOID(flush_to_disk(file));
  TRY(std::string hash, hash_file(file));
  std::error_code problem;
  return Written{std::move(hash), fs::file_size(file, problem)};
}

void Transaction::add_segment(const TableSchema& table, std::int32_t day, const std::string& staged, std::uint64_t rows, Written written) {
  const std::string folder = table.by_day ? fmt::format("{}/day={}", table.name, format_day(day)) : std::string(table.name);
  manifest_.segments.push_back({.table = std::string(table.name),
                                .path = fmt::format("{}/{:06}-{}.parquet", folder, committed_.commit + 1, fs::path(staged).stem().string()),
                                .staged = staged,
                                .day = table.by_day ? day : 0,
                                .rows = rows,
                                .bytes = written.bytes,
                                .hash = std::move(written.hash),
                                .format = Manifest::current_format});
}

Result<void> Transaction::register_segment(const TableSchema& table, std::int32_t day, const std::string& staged, std::uint64_t rows) {
  const std::string file = path_ + "/" + staged;
  changed_ = true;
  if (rows == 0) {
    remove_quietly(file);
    return {};
  }
  TRY(Written written, seal(file));
  add_segment(table, day, staged, rows, std::move(written));
  return {};
}

Result<void> Transaction::stage_later(std::shared_ptr<const Columns> rows, std::int32_t day) {
  if (rows->empty()) return {};
  TRY_VOID(make_directories(path_ + "/" + staging()));
  const std::string staged = next_staged_file();
  changed_ = true;
  auto written = std::async(std::launch::async, [rows, file = path_ + "/" + staged]() -> Result<Written> {
    TRY_VOID(write_parquet_file(*rows, file, notes_for(*rows)));
    return seal(file);
  });
  pending_.push_back({std::move(rows), day, staged, std::move(written)});
  return {};
}

Result<void> Transaction::settle() {
  std::optional<Error> first;
  for (Pending& pending : pending_) {
    Result<Written> written = pending.written.get();
    if (written) {
      add_segment(pending.rows->schema(), pending.day, pending.staged, pending.rows->rows(), std::move(*written));
    } else if (!first) {
      first = Error{ErrorKind::unwritable, fmt::format("adding to store {}: {}", path_, written.error().message)};
    }
  }
  pending_.clear();
  if (first) return *first;
  return {};
}

Result<void> Transaction::stage(const Columns& rows, std::int32_t day) {
  if (rows.empty()) return {};
  TRY_VOID(make_directories(path_ + "/" + staging()));
  const std::string staged = next_staged_file();
  if (auto written = database_.write_parquet(rows, path_ + "/" + staged, notes_for(rows)); !written)
    return Error{ErrorKind::unwritable, fmt::format("adding to store {}: {}", path_, written.error().message)};
  return register_segment(rows.schema(), day, staged, rows.rows());
}

Result<void> Transaction::stage_query(const TableSchema& table, std::int32_t day, const std::string& select,
                                      const std::vector<FooterNote>& notes) {
  TRY_VOID(make_directories(path_ + "/" + staging()));
  const std::string staged = next_staged_file();
  if (auto written = database_.write_parquet(select, path_ + "/" + staged, notes); !written)
    return Error{ErrorKind::unwritable, fmt::format("rewriting part of store {}: {}", path_, written.error().message)};
  TRY(const std::int64_t rows,
      database_.number(fmt::format("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({})", sql_text(path_ + "/" + staged))));
  return register_segment(table, day, staged, static_cast<std::uint64_t>(rows));
}

void Transaction::retire(const std::string& segment_path) {
  std::erase_if(manifest_.segments, [&](const Segment& segment) { return segment.path == segment_path; });
  changed_ = true;
}

Result<void> Transaction::rewrite(const Segment& segment, const std::string& select) {
  const Segment old = segment;  // retire() and stage_query() change the list that it is in
  TRY_VOID(stage_query(*table_named(old.table), old.day, select));
  retire(old.path);
  return {};
}

Result<void> Transaction::commit() {
  TRY_VOID(settle());
  if (!changed_) return {};
  Manifest next = manifest_;
  next.commit = committed_.commit + 1;
  next.format = Manifest::current_format;  // older segments stay as they are; each says its own
  // What an older commit had staged is in place by now.
  std::set<std::string> kept;
  for (Segment& segment : next.segments) {
    kept.insert(segment.path);
    if (!segment.staged.empty() && !segment.staged.starts_with(staging() + "/")) segment.staged.clear();
  }
  next.removed.clear();
  for (const Segment& segment : committed_.segments)
    if (!kept.contains(segment.path)) next.removed.push_back(segment.path);
  if (fs::exists(path_ + "/" + staging())) TRY_VOID(flush_to_disk(path_ + "/" + staging()));
  // A full disk shall show before the change is made, not while its files are moved.
  for (const Segment& segment : next.segments)
    if (!segment.staged.empty()) TRY_VOID(make_directories(fs::path(path_ + "/" + segment.path).parent_path()));
  if (auto saved = save_manifest(path_, next); !saved) {
    const auto on_disk = load_manifest(path_);  // it may have been replaced all the same, if only the flush failed
    staging_is_committed_ = !on_disk || on_disk->commit == next.commit;
    return saved;
  }
  staging_is_committed_ = true;
  if (auto finished = finish_commit(path_, next); !finished)
    return Error{finished.error().kind,
                 fmt::format("{} (the change to store {} is made all the same; the next one puts its files into place)",
                             finished.error().message, path_)};
  staging_is_committed_ = false;
  committed_ = next;
  manifest_ = std::move(next);
  remove_quietly(path_ + "/staging");
  TRY_VOID(make_directories(path_ + "/staging"));
  files_ = 0;
  changed_ = false;
  return {};
}

}  // namespace fathom
