// SPDX-License-Identifier: Apache-2.0
/// What a store consists of at one moment: the segments of every table. Replaced as a whole, so a change is there or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace fathom {

/// One Parquet file of a table.
struct Segment {
  std::string table;
  std::string path;    // below the store: increments/day=2010-05-03/000042-0.parquet
  std::string staged;  // where it may still be while its commit is being finished; empty for old segments
  std::int32_t day = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string hash;  // of the file's bytes
  int format = 1;    // the format in which it was written: which columns it has
};

struct Manifest {
  /// 2: increments, extents and criteria have metadata_ops. Stores of format 1 are read as they are; the next change makes them format 2.
  static constexpr int current_format = 2;

  int format = current_format;
  std::uint64_t commit = 0;
  std::uint32_t next_source = 1;
  /// Days before this one were forgotten on purpose and are not taken again.
  std::optional<std::int32_t> forgotten_before;
  std::vector<Segment> segments;
  /// Files that the last commit took out; the next writer deletes what is left of them.
  std::vector<std::string> removed;

  /// Segments of a table, of days in [from, to], in order of day and path.
  std::vector<const Segment*> of(std::string_view table, std::int32_t from = INT32_MIN, std::int32_t to = INT32_MAX) const;
};

Result<Manifest> load_manifest(const std::string& store);
/// Written aside, flushed to disk, then renamed over the old one.
Result<void> save_manifest(const std::string& store, const Manifest& manifest);
bool has_manifest(const std::string& store);

}  // namespace fathom
