// SPDX-License-Identifier: Apache-2.0
#include "mine/aggregate.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "characterise/workers.h"
#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

constexpr std::size_t most_slots = 200'000'000;
constexpr CounterMask bytes_only = byte_counters;

/// What one thread adds up.
class Adder {
 public:
  Adder(std::int64_t from, std::int64_t step, std::size_t slots, std::int64_t longest)
      : from_(from), step_(step), longest_(longest), measured(slots, 0) {
    for (auto& each : bytes) each.assign(slots, 0);
  }

  void add(const IncrementRun& run) {
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t start = run.start[i], end = run.end[i];
      if (end <= from_ || start >= from_ + step_ * static_cast<std::int64_t>(measured.size()) || end <= start) continue;
      if ((run.flags[i] & unmeasured_flags) != 0 || (!run.has(0, i) && !run.has(1, i))) continue;
      if (end - start > longest_) {
        ++gaps;
        continue;
      }
      ++increments;
      for (std::size_t d = 0; d < 2; ++d)
        if (run.has(d, i)) spread(bytes[d], static_cast<std::uint64_t>(run.amounts[d][i]), start, end);
      spread(measured, static_cast<std::uint64_t>(end - start), start, end);
    }
  }

 private:
  /// Whole units to each slot by rounding the running total down, so that nothing is lost and any order of rows gives the same sums.
  void spread(std::vector<std::uint64_t>& slots, std::uint64_t amount, std::int64_t start, std::int64_t end) {
    if (amount == 0) return;
    const auto floor_slot = [this](std::int64_t t) { return t >= from_ ? (t - from_) / step_ : -((from_ - t + step_ - 1) / step_); };
    const std::int64_t first = floor_slot(start), last = floor_slot(end - 1);
    std::uint64_t before = 0;
    for (std::int64_t slot = first; slot <= last; ++slot) {
      const std::int64_t until = std::min(end, from_ + (slot + 1) * step_);
      const auto so_far = first == last ? amount
                                        : static_cast<std::uint64_t>(static_cast<Wide>(amount) * static_cast<std::uint64_t>(until - start) /
                                                                     static_cast<std::uint64_t>(end - start));
      if (slot >= 0 && slot < static_cast<std::int64_t>(slots.size())) slots[static_cast<std::size_t>(slot)] += so_far - before;
      before = so_far;
    }
  }
  __extension__ using Wide = unsigned __int128;

  std::int64_t from_, step_, longest_;

 public:
  std::array<std::vector<std::uint64_t>, 2> bytes;
  std::vector<std::uint64_t> measured;
  std::uint64_t increments = 0, gaps = 0;
};

Result<std::string> choose_filesystem(const Snapshot& snapshot, const std::string& wanted) {
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const std::vector<std::string> names, filesystems_of(snapshot, database));
  std::string list;
  for (const std::string& name : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name.empty() ? "(servers' totals)" : name);
  if (!wanted.empty()) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
    return Error{ErrorKind::not_found, fmt::format("adding up the traffic of file system {}: the store has no counters of it; it has {}",
                                                   wanted, list.empty() ? "none at all" : list)};
  }
  if (names.empty()) return Error{ErrorKind::not_found, "adding up traffic: the store has no counters"};
  if (names.size() == 1) return names.front();
  // Servers' totals beside their file systems count the same bytes.
  if (names.size() == 2 && names.front().empty()) return names.back();
  return Error{ErrorKind::usage,
               fmt::format("adding up traffic: the store has several file systems; choose one with --filesystem: {}", list)};
}

/// Which series count, by SeriesIndex number: job tags only of servers that have nothing else.
struct Chosen {
  std::vector<std::string> untagged;  // sorted servers
  bool takes(const SeriesName& name) const {
    return name.job.empty() || !std::binary_search(untagged.begin(), untagged.end(), name.server);
  }
};

struct Extent {
  std::int64_t from = INT64_MAX, to = INT64_MIN;
  std::uint64_t servers = 0;
  Chosen chosen;
};

/// From the table of extents, which has one row per series and day.
Result<Extent> extent_of(const Snapshot& snapshot, const std::string& filesystem) {
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows, database.query(fmt::format("SELECT server, coalesce(job, '') = '' AS untagged, epoch_us(min(first_time)), "
                                            "epoch_us(max(last_time)) FROM {} WHERE filesystem = {} AND {} GROUP BY 1, 2 ORDER BY 1",
                                            snapshot.rows_of(extents_table), sql_text(filesystem), extent_counts_bytes)));
  Extent extent;
  std::string latest;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string server(rows.text(0, i));
      extent.servers += extent.servers == 0 || server != latest;
      latest = server;
      if (rows.number(1, i) != 0) extent.chosen.untagged.push_back(server);
      extent.from = std::min(extent.from, rows.number(2, i));
      extent.to = std::max(extent.to, rows.number(3, i));
    }
  TRY_VOID(rows.status());
  return extent;
}

/// The usual length of increments on one day.
Result<std::int64_t> usual_interval(const Snapshot& snapshot, std::int32_t day, const std::string& filesystem) {
  TRY(Database database, Database::open({.threads = 1}));
  return database.number(
      fmt::format("SELECT coalesce(median(epoch_us(end_time) - epoch_us(start_time)), 0)::BIGINT FROM {} WHERE filesystem = {}",
                  snapshot.rows_of(increments_table, day, day), sql_text(filesystem)));
}

std::int64_t down_to(std::int64_t t, std::int64_t step) { return (t >= 0 ? t / step : -((step - 1 - t) / step)) * step; }

}  // namespace

Result<std::vector<std::string>> filesystems_of(const Snapshot& snapshot, Database& database) {
  std::vector<std::string> names;
  TRY(Rows rows, database.query(fmt::format("SELECT DISTINCT coalesce(filesystem, '') FROM {} WHERE {} ORDER BY 1",
                                            snapshot.rows_of(extents_table), extent_counts_bytes)));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) names.emplace_back(rows.text(0, i));
  TRY_VOID(rows.status());
  return names;
}

TrafficSeries AggregateTraffic::series(TrafficDirection direction, double least) const {
  TrafficSeries all{start, step, std::vector<double>(size(), unknown_amount)};
  const double needed = least * static_cast<double>(servers) * static_cast<double>(step.count());
  for (std::size_t i = 0; i < size(); ++i) {
    if (measured[i] == 0 || static_cast<double>(measured[i]) < needed) continue;
    all.amounts[i] = 0;
    for (std::size_t d = 0; d < 2; ++d)
      if (direction == TrafficDirection::total || static_cast<std::size_t>(direction) == d)
        all.amounts[i] += static_cast<double>(bytes[d][i]);
  }
  return all;
}

double AggregateTraffic::coverage() const {
  double sum = 0;
  for (const std::uint64_t each : measured) sum += static_cast<double>(each);
  return size() == 0 || servers == 0
             ? 0
             : sum / (static_cast<double>(size()) * static_cast<double>(servers) * static_cast<double>(step.count()));
}

Result<AggregateTraffic> aggregate_traffic(const Snapshot& snapshot, const AggregateRequest& request,
                                           const std::function<void(std::size_t done, std::size_t all)>& progress) {
  AggregateTraffic sum;
  TRY(sum.filesystem, choose_filesystem(snapshot, request.filesystem));
  TRY(const Extent extent, extent_of(snapshot, sum.filesystem));
  const std::int64_t from = std::max(request.from == no_time ? extent.from : micros(request.from), extent.from);
  const std::int64_t to = std::min(request.to == no_time ? extent.to : micros(request.to), extent.to);
  if (from >= to)
    return Error{ErrorKind::not_found,
                 fmt::format("adding up traffic: nothing of {} was measured in the time asked for; its counters are from {} to {}",
                             sum.filesystem.empty() ? "the servers" : sum.filesystem, format_iso8601(time_from_micros(extent.from)),
                             format_iso8601(time_from_micros(extent.to)))};
  std::vector<std::int32_t> days;  // an increment lies with the day of its end
  for (const std::int32_t day : increment_days(snapshot))
    if (day >= day_of(time_from_micros(from)) && day <= day_of(time_from_micros(to)) + 1) days.push_back(day);
  if (days.empty()) return Error{ErrorKind::not_found, "adding up traffic: there are no increments in the time asked for"};
  TRY(const std::int64_t usual, usual_interval(snapshot, days.front(), sum.filesystem));
  const std::int64_t step = request.step.count() > 0 ? request.step.count() : std::max<std::int64_t>(usual, 1'000'000);
  const std::int64_t begin = down_to(from, step);
  const std::int64_t slots = (to - begin + step - 1) / step;
  if (static_cast<std::uint64_t>(slots) > most_slots)
    return Error{ErrorKind::usage, fmt::format("adding up traffic: {} slots are too many; choose a longer --step", slots)};

  const unsigned threads = std::min<unsigned>(request.threads > 0 ? request.threads : std::max(std::thread::hardware_concurrency(), 1u),
                                              static_cast<unsigned>(days.size()));
  const auto longest = static_cast<std::int64_t>(gap_factor * static_cast<double>(std::max(step, usual)));
  std::vector<Adder> adders(threads, Adder(begin, step, static_cast<std::size_t>(slots), longest));
  std::vector<SeriesIndex> indexes(threads);
  const auto told = [&](std::size_t done) { progress(done, days.size()); };
  TRY_VOID(work_on_days(days, threads, told, [&](Database& database, unsigned thread, std::int32_t day) -> Result<void> {
    SeriesIndex& index = indexes[thread];
    return scan_increments(snapshot, database, day, index, {.filesystem = &sum.filesystem, .counters = bytes_only},
                           [&](const IncrementRun& run) {
                             if (extent.chosen.takes(index.names()[run.series])) adders[thread].add(run);
                           });
  }));
  sum.start = time_from_micros(begin);
  sum.step = Duration{step};
  sum.servers = extent.servers;
  sum.measured.assign(static_cast<std::size_t>(slots), 0);
  for (auto& each : sum.bytes) each.assign(static_cast<std::size_t>(slots), 0);
  for (const Adder& adder : adders) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum.measured[i] += adder.measured[i];
      for (std::size_t d = 0; d < 2; ++d) sum.bytes[d][i] += adder.bytes[d][i];
    }
    sum.increments += adder.increments;
    sum.gaps += adder.gaps;
  }
  return sum;
}

}  // namespace fathom
