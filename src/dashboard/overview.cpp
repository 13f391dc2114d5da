// SPDX-License-Identifier: Apache-2.0
#include "dashboard/overview.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t operations = index(Counter::metadata_ops);
constexpr std::int64_t hour = 3'600'000'000, minute = 60'000'000;
constexpr std::int64_t most_cells = 24 * 400;  // of one row of a day: an increment that is longer than a year in hours is none

std::uint64_t segments_of(const Snapshot& snapshot, std::int32_t day) {
  Hash hash;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name))
    if (segment->day == day) hash.add(segment->path);
  return hash.value();
}

std::int64_t limit_of(const UsualIntervals& usual, const SeriesName& name) {
  const auto at = usual.find(name);
  return at == usual.end() || at->second <= 0 ? INT64_MAX : static_cast<std::int64_t>(gap_factor * static_cast<double>(at->second));
}

/// Increments of a day that are drawn: measured, no gaps, each byte once.
template <class Take>
Result<void> scan(const Snapshot& snapshot, Database& database, std::int32_t day, const LoadCounters& counters, const UsualIntervals& usual,
                  const ScanOptions& extra, LoadOf what, const Take& take) {
  SeriesIndex index;
  ScanOptions options = extra;
  options.counters = what == LoadOf::bytes ? byte_counters : mask(Counter::metadata_ops);
  if (!counters.filesystem.empty()) options.filesystem = &counters.filesystem;
  return scan_increments(snapshot, database, day, index, options, [&](const IncrementRun& run) {
    const SeriesName& name = index.names()[run.series];
    if (!counters.takes(name)) return;
    const std::int64_t limit = limit_of(usual, name);
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t length = run.end[i] - run.start[i];
      if ((run.flags[i] & unmeasured_flags) != 0 || length <= 0 || length > limit) continue;
      if (what == LoadOf::metadata) {
        if (run.has(operations, i)) take(name, run.start[i], run.end[i], static_cast<double>(run.amounts[operations][i]), 0.0);
        continue;
      }
      take(name, run.start[i], run.end[i], run.has(0, i) ? static_cast<double>(run.amounts[0][i]) : 0,
           run.has(1, i) ? static_cast<double>(run.amounts[1][i]) : 0);
    }
  });
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

/// Adds cells of one length to bins of another, by the share of time that they have in common.
void add_to(std::vector<Cell>& bins, const TimeGrid& grid, const CellRow& row) {
  const double length = static_cast<double>(row.step()) / 1e6;
  for (std::size_t i = 0; i < row.cells().size(); ++i) {
    const Cell& cell = row.cells()[i];
    if (cell.seconds == 0) continue;
    const double begin = static_cast<double>(row.first() + static_cast<std::int64_t>(i)) * length, end = begin + length;
    if (end <= grid.from || begin >= grid.to()) continue;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor((begin - grid.from) / grid.step)));
    for (std::size_t bin = first; bin < bins.size(); ++bin) {
      const double from = grid.from + grid.step * static_cast<double>(bin);
      const double overlap = std::min(end, from + grid.step) - std::max(begin, from);
      if (overlap <= 0) break;
      const auto share = static_cast<float>(overlap / length);
      bins[bin].read += cell.read * share;
      bins[bin].write += cell.write * share;
      bins[bin].seconds += cell.seconds * share;
    }
  }
}

}  // namespace

Cell& CellRow::at(std::int64_t number) {
  if (cells_.empty()) first_ = number;
  if (number < first_) {
    cells_.insert(cells_.begin(), static_cast<std::size_t>(first_ - number), Cell{});
    first_ = number;
  }
  const auto place = static_cast<std::size_t>(number - first_);
  if (place >= cells_.size()) cells_.resize(place + 1);
  return cells_[place];
}

void CellRow::spread(std::int64_t start, std::int64_t end, double read, double write, std::int64_t from, std::int64_t to) {
  const std::int64_t begin = std::max(start, from), stop = std::min(end, to);
  if (stop <= begin || (stop - begin) / step_ > most_cells) return;
  const double length = static_cast<double>(end - start);
  for (std::int64_t number = floor_div(begin, step_); number * step_ < stop; ++number) {
    const std::int64_t overlap = std::min(stop, (number + 1) * step_) - std::max(begin, number * step_);
    const double share = static_cast<double>(overlap) / length;
    Cell& cell = at(number);
    cell.read += static_cast<float>(read * share);
    cell.write += static_cast<float>(write * share);
    cell.seconds += static_cast<float>(static_cast<double>(overlap) / 1e6);
  }
}

std::vector<std::int32_t> Overview::missing(const Snapshot& snapshot) const {
  std::vector<std::int32_t> days;
  for (const std::int32_t day : increment_days(snapshot)) {
    const std::uint64_t segments = segments_of(snapshot, day);
    const std::lock_guard lock(mutex_);
    const auto at = days_.find(day);
    if (at == days_.end() || at->second.segments != segments) days.push_back(day);
  }
  std::reverse(days.begin(), days.end());
  return days;
}

static Result<void> read_rows(const Snapshot& snapshot, Database& database, std::int32_t day, const LoadCounters& counters,
                              const UsualIntervals& usual, LoadOf what, DayRows& rows) {
  const SeriesName* last = nullptr;
  CellRow *hours = nullptr, *minutes = nullptr;
  return scan(snapshot, database, day, counters, usual, {}, what,
              [&](const SeriesName& name, std::int64_t start, std::int64_t end, double read, double write) {
                if (&name != last) {
                  last = &name;
                  hours = &rows.hours.try_emplace({name.filesystem, name.server}, hour).first->second;
                  minutes = &rows.minutes.try_emplace(name.filesystem, minute).first->second;
                }
                hours->spread(start, end, read, write);
                minutes->spread(start, end, read, write);
              });
}

Result<void> Overview::read(const Snapshot& snapshot, Database& database, std::int32_t day, const LoadCounters& counters,
                            const LoadCounters* metadata, const UsualIntervals& usual) {
  auto traffic = std::make_shared<DayTraffic>();
  TRY_VOID(read_rows(snapshot, database, day, counters, usual, LoadOf::bytes, traffic->bytes));
  if (metadata != nullptr) TRY_VOID(read_rows(snapshot, database, day, *metadata, usual, LoadOf::metadata, traffic->metadata));
  for (const DayRows* rows : {&traffic->bytes, &traffic->metadata}) {
    for (const auto& [name, row] : rows->minutes) {
      traffic->from = std::min(traffic->from, static_cast<double>(row.first() * row.step()) / 1e6);
      traffic->to =
          std::max(traffic->to, static_cast<double>((row.first() + static_cast<std::int64_t>(row.cells().size())) * row.step()) / 1e6);
    }
  }
  const std::lock_guard lock(mutex_);
  for (const auto& [place, row] : traffic->bytes.hours) places_.insert(place);
  for (const auto& [place, row] : traffic->metadata.hours) metadata_places_.insert(place);
  days_[day] = {segments_of(snapshot, day), std::move(traffic)};
  return {};
}

void Overview::keep_only(const Snapshot& snapshot) {
  const std::vector<std::int32_t> days = increment_days(snapshot);
  const std::lock_guard lock(mutex_);
  std::erase_if(days_, [&](const auto& each) { return !std::binary_search(days.begin(), days.end(), each.first); });
}

std::size_t Overview::days() const {
  const std::lock_guard lock(mutex_);
  return days_.size();
}

template <class Choose>
TrafficRows Overview::gather(const TimeGrid& grid, const std::string& filesystem, const Choose& choose) const {
  std::vector<std::shared_ptr<const DayTraffic>> days;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [day, kept] : days_)
      if (kept.traffic->to + hour / 1e6 > grid.from && kept.traffic->from - hour / 1e6 < grid.to()) days.push_back(kept.traffic);
  }
  std::map<Place, std::vector<Cell>> rows;
  for (const auto& traffic : days)
    choose(*traffic, [&](const Place& place, const CellRow& row) {
      if (!filesystem.empty() && place.filesystem != filesystem) return;
      const double begin = static_cast<double>(row.first() * row.step()) / 1e6,
                   end = begin + static_cast<double>(row.step()) / 1e6 * static_cast<double>(row.cells().size());
      auto& bins = rows[place];
      if (bins.empty()) bins.resize(grid.bins);
      if (end > grid.from && begin < grid.to()) add_to(bins, grid, row);
    });
  TrafficRows result;
  for (auto& [place, bins] : rows) {
    result.places.push_back(place);
    result.rows.push_back(std::move(bins));
  }
  return result;
}

TrafficRows Overview::by_server(const TimeGrid& grid, const std::string& filesystem, LoadOf what) const {
  return gather(grid, filesystem, [what](const DayTraffic& day, const auto& take) {
    for (const auto& [place, row] : day.of(what).hours) take(place, row);
  });
}

TrafficRows Overview::by_filesystem(const TimeGrid& grid, const std::string& filesystem, LoadOf what) const {
  return gather(grid, filesystem, [what](const DayTraffic& day, const auto& take) {
    for (const auto& [name, row] : day.of(what).minutes) take(Place{name, ""}, row);
  });
}

std::vector<Place> Overview::places(const std::string& filesystem, LoadOf what) const {
  std::vector<Place> places;
  const std::lock_guard lock(mutex_);
  for (const Place& place : what == LoadOf::bytes ? places_ : metadata_places_)
    if (filesystem.empty() || place.filesystem == filesystem) places.push_back(place);
  return places;
}

double Overview::prepared(const Snapshot& snapshot, const TimeGrid& grid) const {
  std::size_t wanted = 0, there = 0;
  const std::lock_guard lock(mutex_);
  for (const std::int32_t day : increment_days(snapshot)) {
    if (static_cast<double>(day + 1) * 86400 < grid.from || static_cast<double>(day) * 86400 > grid.to()) continue;
    ++wanted;
    there += days_.contains(day);
  }
  return wanted == 0 ? 1 : static_cast<double>(there) / static_cast<double>(wanted);
}

Result<TrafficRows> read_traffic(const Snapshot& snapshot, const TimeGrid& grid, const LoadCounters& counters, const UsualIntervals& usual,
                                 LoadOf what) {
  TRY(Database database, Database::open({}));
  const auto step = static_cast<std::int64_t>(std::llround(grid.step * 1e6)),
             origin = static_cast<std::int64_t>(std::llround(grid.from * 1e6));
  const std::int64_t stop = origin + step * static_cast<std::int64_t>(grid.bins);
  std::map<Place, CellRow> rows;
  ScanOptions options;
  options.after = time_from_micros(origin);
  const SeriesName* last = nullptr;
  CellRow* row = nullptr;
  for (const std::int32_t day : increment_days(snapshot)) {
    if (static_cast<double>(day + 1) * 86400 < grid.from || static_cast<double>(day - 1) * 86400 > grid.to()) continue;
    last = nullptr;
    TRY_VOID(scan(snapshot, database, day, counters, usual, options, what,
                  [&](const SeriesName& name, std::int64_t start, std::int64_t end, double read, double write) {
                    if (&name != last) {
                      last = &name;
                      row = &rows.try_emplace({name.filesystem, name.server}, step).first->second;
                    }
                    row->spread(start - origin, end - origin, read, write, 0, stop - origin);
                  }));
  }
  TrafficRows result;
  for (const auto& [place, cells] : rows) {
    result.places.push_back(place);
    auto& bins = result.rows.emplace_back(grid.bins);
    for (std::size_t i = 0; i < cells.cells().size(); ++i) bins[static_cast<std::size_t>(cells.first()) + i] = cells.cells()[i];
  }
  return result;
}

}  // namespace fathom::dashboard
