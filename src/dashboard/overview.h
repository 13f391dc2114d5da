// SPDX-License-Identifier: Apache-2.0
/// The traffic of a store's servers, bytes and metadata operations, over all its time: by hour for every server and by minute for each file
/// system, day by day as they are read; what is finer is read when somebody asks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "characterise/facts.h"
#include "store/load_counters.h"

namespace fathom::dashboard {

struct Cell {
  float read = 0, write = 0;  // bytes; of metadata: operations, and nothing
  float seconds = 0;          // that were measured, summed over servers
};

/// Cells of one length, one after the other; grows at both ends as needed.
class CellRow {
 public:
  explicit CellRow(std::int64_t step = 1) : step_(step) {}
  /// Spreads amounts evenly over (start, end], in microseconds; only what is inside [from, to).
  void spread(std::int64_t start, std::int64_t end, double read, double write, std::int64_t from = INT64_MIN, std::int64_t to = INT64_MAX);
  std::int64_t step() const { return step_; }
  std::int64_t first() const { return first_; }  // number of the first cell: its time / step
  const std::vector<Cell>& cells() const { return cells_; }

 private:
  Cell& at(std::int64_t number);
  std::int64_t step_, first_ = 0;
  std::vector<Cell> cells_;
};

struct Place {
  std::string filesystem, server;
  auto operator<=>(const Place&) const = default;
};

/// Usual intervals of series; what is longer than gap_factor of them is a gap, and not drawn.
using UsualIntervals = std::map<SeriesName, std::int64_t>;

struct DayRows {
  std::map<Place, CellRow> hours;          // by server
  std::map<std::string, CellRow> minutes;  // by file system
};

struct DayTraffic {
  DayRows bytes, metadata;
  const DayRows& of(LoadOf what) const { return what == LoadOf::bytes ? bytes : metadata; }
  double from = 1e300, to = -1e300;  // Unix seconds: where there are any
};

/// What is asked for: a grid of time.
struct TimeGrid {
  double from = 0, step = 1;  // Unix seconds
  std::size_t bins = 0;
  double to() const { return from + step * static_cast<double>(bins); }
};

/// Rows of cells on that grid.
struct TrafficRows {
  std::vector<Place> places;
  std::vector<std::vector<Cell>> rows;  // by place, then bin
  double prepared = 1;                  // share of the days that were read
};

class Overview {
 public:
  /// Days of a snapshot that have to be read (again), the latest first.
  std::vector<std::int32_t> missing(const Snapshot& snapshot) const;
  /// Reads one day; `metadata` is null where nobody counts any.
  Result<void> read(const Snapshot& snapshot, Database& database, std::int32_t day, const LoadCounters& counters,
                    const LoadCounters* metadata, const UsualIntervals& usual);
  /// Forgets days that the snapshot does not have.
  void keep_only(const Snapshot& snapshot);
  std::size_t days() const;

  /// For each server, from hours; steps should be hours or longer.
  TrafficRows by_server(const TimeGrid& grid, const std::string& filesystem, LoadOf what) const;
  /// For each file system, from minutes.
  TrafficRows by_filesystem(const TimeGrid& grid, const std::string& filesystem, LoadOf what) const;
  /// Servers that were ever seen, in order.
  std::vector<Place> places(const std::string& filesystem, LoadOf what = LoadOf::bytes) const;
  /// Of the days in the grid, those that were read.
  double prepared(const Snapshot& snapshot, const TimeGrid& grid) const;

 private:
  struct KeptDay {
    std::uint64_t segments = 0;  // hash of their names
    std::shared_ptr<const DayTraffic> traffic;
  };
  template <class Choose>
  TrafficRows gather(const TimeGrid& grid, const std::string& filesystem, const Choose& choose) const;
  mutable std::mutex mutex_;
  std::map<std::int32_t, KeptDay> days_;
  std::set<Place> places_, metadata_places_;  // of any day that was ever read
};

/// Straight from the increments, for steps that are short: each server, on the grid.
Result<TrafficRows> read_traffic(const Snapshot& snapshot, const TimeGrid& grid, const LoadCounters& counters, const UsualIntervals& usual,
                                 LoadOf what);

}  // namespace fathom::dashboard
