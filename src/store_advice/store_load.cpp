// SPDX-License-Identifier: Apache-2.0
#include "store_advice/store_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

struct Series {
  std::string server, filesystem;
  std::vector<double> bytes, measured;  // by slot; microseconds
};

/// An increment's bytes spread evenly over its time.
void spread(Series& series, double amount, std::int64_t start, std::int64_t end, std::int64_t begin, std::int64_t slot) {
  const auto slots = static_cast<std::int64_t>(series.bytes.size());
  const std::int64_t from = std::max(start, begin);
  for (std::int64_t i = (from - begin) / slot; i < slots && begin + i * slot < end; ++i) {
    const std::int64_t overlap = std::min(end, begin + (i + 1) * slot) - std::max(start, begin + i * slot);
    if (overlap <= 0) continue;
    series.bytes[static_cast<std::size_t>(i)] += amount * static_cast<double>(overlap) / static_cast<double>(end - start);
    series.measured[static_cast<std::size_t>(i)] += static_cast<double>(overlap);
  }
}

}  // namespace

Result<StoreLoad> store_load(const Snapshot& snapshot, Time at, const std::string& filesystem, const advise::LoadSettings& settings) {
  TRY(const LoadCounters counters, load_counters(snapshot, filesystem));
  return store_load(snapshot, counters, at, settings);
}

Result<StoreLoad> store_load(const Snapshot& snapshot, const LoadCounters& counters, Time at, const advise::LoadSettings& settings) {
  StoreLoad load;
  load.at = at == no_time ? counters.to : at;
  const Duration span{static_cast<std::int64_t>(settings.seconds() * 1e6)};
  if (load.at <= counters.from || load.at - span >= counters.to)
    return Error{ErrorKind::not_found,
                 fmt::format("looking at the load at {}: nothing was measured in the {:g} minutes before; the counters are from {} to {}",
                             format_iso8601(load.at), settings.seconds() / 60, format_iso8601(counters.from), format_iso8601(counters.to))};

  // First what there is, then its grid: servers may report at any interval.
  TRY(Database database, Database::open({.threads = 1}));
  struct Piece {
    std::size_t series;
    std::int64_t start, end;
    double bytes;
  };
  std::vector<Piece> pieces;
  std::vector<std::int64_t> lengths;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;
  SeriesIndex index;
  ScanOptions options;
  options.filesystem = counters.filesystem.empty() ? nullptr : &counters.filesystem;
  options.counters = byte_counters;
  options.after = load.at - span;
  options.until = load.at;
  for (const std::int32_t day : increment_days(snapshot)) {
    if (day < day_of(load.at - span) || day > day_of(load.at)) continue;
    TRY_VOID(scan_increments(snapshot, database, day, index, options, [&](const IncrementRun& run) {
      const SeriesName& name = index.names()[run.series];
      if (!counters.takes(name)) return;
      const std::size_t number = numbers.emplace(std::pair(name.filesystem, name.server), numbers.size()).first->second;
      for (std::size_t i = 0; i < run.size; ++i) {
        if ((run.flags[i] & unmeasured_flags) != 0 || run.end[i] <= run.start[i]) continue;
        double bytes = 0;
        for (std::size_t d = 0; d < 2; ++d)
          if (run.has(d, i)) bytes += static_cast<double>(run.amounts[d][i]);
        pieces.push_back({number, run.start[i], run.end[i], bytes});
        lengths.push_back(run.end[i] - run.start[i]);
      }
    }));
  }
  std::int64_t usual = 10'000'000;
  if (!lengths.empty()) {
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
    usual = std::max<std::int64_t>(1'000'000, lengths[lengths.size() / 2]);
  }
  // Slots that fill a window evenly, none shorter than the servers' interval.
  const double per_window = std::max(1.0, std::floor(settings.window_seconds * 1e6 / static_cast<double>(usual) + 0.01));
  if (static_cast<double>(usual) > settings.window_seconds * 1e6 * 1.01)
    return Error{ErrorKind::unsupported,
                 fmt::format("looking at the load: counters come every {:g} s, and a window of the load table is {:g} s",
                             static_cast<double>(usual) / 1e6, settings.window_seconds)};
  load.slot_seconds = settings.window_seconds / per_window;
  const auto slot = static_cast<std::int64_t>(load.slot_seconds * 1e6);
  const auto slots = static_cast<std::size_t>(per_window) * settings.windows;
  const std::int64_t begin = micros(load.at) - slot * static_cast<std::int64_t>(slots);

  std::vector<Series> all(numbers.size());
  std::vector<std::size_t> place(numbers.size());
  for (const auto& [name, number] : numbers) {  // in order of their names
    place[number] = load.servers.size();
    load.filesystems.push_back(name.first);
    load.servers.push_back(name.second);
    if (load.partitions.empty() || load.partitions.back().filesystem != name.first) load.partitions.push_back({name.first, {}});
    load.partitions.back().servers.push_back(static_cast<std::uint32_t>(place[number]));
    all[place[number]] = {name.second, name.first, std::vector<double>(slots, 0), std::vector<double>(slots, 0)};
  }
  for (const Piece& piece : pieces)
    if (piece.end - piece.start <= static_cast<std::int64_t>(gap_factor * static_cast<double>(usual)))
      spread(all[place[piece.series]], piece.bytes, piece.start, piece.end, begin, slot);
  load.slots.assign(slots, std::vector<double>(all.size(), advise::not_measured));
  for (std::size_t server = 0; server < all.size(); ++server)
    for (std::size_t i = 0; i < slots; ++i) {
      const double measured =
          std::min(all[server].measured[i], static_cast<double>(slot));  // tagged series of one server are measured at the same time
      if (measured >= 0.5 * static_cast<double>(slot)) load.slots[i][server] = all[server].bytes[i] / measured * 1e6;
    }
  return load;
}

}  // namespace fathom
