// SPDX-License-Identifier: Apache-2.0
#include "mine/store_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom::mine {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 31;  // 8 GiB for one direction: counters of tens of thousands of servers by the second
constexpr double least_covered = 0.5;                     // of a slot

/// The servers of a file system in two days, and what counts of each: job tags only where there is nothing else.
struct Servers {
  std::vector<std::string> names;  // sorted
  std::vector<bool> tagged_only;

  std::size_t column(std::string_view name) const {
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    return at != names.end() && *at == name ? static_cast<std::size_t>(at - names.begin()) : names.size();
  }
};

Result<Servers> servers_of(const Snapshot& snapshot, Database& database, const std::string& filesystem, std::int32_t day) {
  TRY(Rows rows, database.query(fmt::format("SELECT server, bool_and(coalesce(job, '') <> '') FROM {} WHERE filesystem = {} AND last_time "
                                            "> make_timestamp({}) AND {} GROUP BY 1 ORDER BY 1",
                                            snapshot.rows_of(extents_table, day - 1, day), sql_text(filesystem),
                                            micros(block_begin(day) - block_context), extent_counts_bytes)));
  Servers servers;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      servers.names.emplace_back(rows.text(0, i));
      servers.tagged_only.push_back(rows.number(1, i) != 0);
    }
  TRY_VOID(rows.status());
  // Segments are not in the order of this comparison where a locale says otherwise.
  if (!std::is_sorted(servers.names.begin(), servers.names.end()))
    return Error{ErrorKind::damaged, "listing the servers of a day: they came out of order"};
  return servers;
}

/// The usual interval of three servers is that of all.
Result<Duration> usual_step(const Snapshot& snapshot, Database& database, const std::string& filesystem, std::int32_t day,
                            const Servers& servers) {
  // One question for each, so that the rows of others are left out by what files say of themselves.
  std::string chosen;
  for (const std::size_t i : {std::size_t{0}, servers.names.size() / 2, servers.names.size() - 1})
    chosen += fmt::format(
        "{}SELECT epoch_us(end_time) - epoch_us(start_time) AS length FROM {} WHERE server = {} AND filesystem = {} AND (flags & {}) = 0",
        chosen.empty() ? "" : " UNION ALL ", snapshot.rows_of(increments_table, day - 1, day), sql_text(servers.names[i]),
        sql_text(filesystem), static_cast<int>(unmeasured_flags));
  TRY(const std::int64_t usual, database.number(fmt::format("SELECT coalesce(median(length), 0)::BIGINT FROM ({})", chosen)));
  constexpr std::int64_t second = 1'000'000;
  // Clocks are read a little early or late: 9.9998 s is 10 s.
  if (usual >= 2 * second) return Duration{(usual + second / 2) / second * second};
  return Duration{std::max<std::int64_t>((usual + second / 20) / (second / 10) * (second / 10), usual > 0 ? second / 10 : 0)};
}

/// Where the increments of a series go; beyond the last file system: nowhere.
struct Place {
  std::size_t filesystem = 0, column = 0;
};

Place place_of(const SeriesName& name, const std::vector<std::string>& filesystems, const std::vector<Servers>& servers) {
  const auto at = static_cast<std::size_t>(std::find(filesystems.begin(), filesystems.end(), name.filesystem) - filesystems.begin());
  if (at == filesystems.size()) return {at, 0};
  const std::size_t column = servers[at].column(name.server);
  if (column == servers[at].names.size() || (!name.job.empty() && !servers[at].tagged_only[column])) return {filesystems.size(), 0};
  return {at, column};
}

/// The matrix of a block without its amounts. Slots begin at whole multiples of the step since 1970, so that neighbouring blocks have the
/// same.
Result<TrafficMatrix> empty_matrix(const Snapshot& snapshot, Database& database, const std::string& filesystem, std::int32_t day,
                                   const Servers& servers, Time from, Time to) {
  TrafficMatrix matrix;
  if (servers.names.empty()) return matrix;
  TRY(matrix.step, usual_step(snapshot, database, filesystem, day, servers));
  const std::int64_t step = matrix.step.count();
  if (step <= 0) return matrix;
  matrix.start = time_from_micros(micros(from) / step * step);
  matrix.slots = static_cast<std::size_t>((to - matrix.start + matrix.step - Duration{1}) / matrix.step);
  matrix.servers = servers.names.size();
  if (matrix.slots > most_cells / matrix.servers)
    return Error{ErrorKind::unsupported,
                 fmt::format("reading the traffic of {} on {}: {} servers in steps of {} s are too much for one table", filesystem,
                             format_day(day), matrix.servers, seconds(matrix.step))};
  return matrix;
}

/// Spreads increments evenly over the slots they touch.
class Filler {
 public:
  Filler(TrafficMatrix& matrix, std::int64_t longest)
      : matrix_(matrix),
        from_(micros(matrix.start)),
        step_(matrix.step.count()),
        longest_(longest),
        covered_(matrix.slots * matrix.servers, 0.0f) {
    for (auto& amounts : matrix.amounts) amounts.assign(matrix.slots * matrix.servers, static_cast<float>(unknown_amount));
  }

  void add(const IncrementRun& run, std::size_t server) {
    const std::int64_t until = from_ + step_ * static_cast<std::int64_t>(matrix_.slots);
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t start = run.start[i], end = run.end[i];
      if (end <= from_ || start >= until || end <= start || end - start > longest_ || (run.flags[i] & unmeasured_flags) != 0) continue;
      const std::int64_t first = std::max(start, from_), last = std::min(end, until);
      for (std::int64_t slot = (first - from_) / step_; slot <= (last - 1 - from_) / step_; ++slot) {
        const std::int64_t begin = std::max(first, from_ + slot * step_), stop = std::min(last, from_ + (slot + 1) * step_);
        const auto share = static_cast<float>(stop - begin) / static_cast<float>(end - start);
        const std::size_t cell = static_cast<std::size_t>(slot) * matrix_.servers + server;
        covered_[cell] += static_cast<float>(stop - begin);
        for (std::size_t d = 0; d < 2; ++d) {
          if (!run.has(d, i)) continue;
          float& amount = matrix_.amounts[d][cell];
          const float part = share * static_cast<float>(run.amounts[d][i]);
          amount = std::isnan(amount) ? part : amount + part;
        }
      }
    }
  }

  /// What was measured for at least half of a slot stands for all of it.
  void finish() {
    const auto step = static_cast<float>(step_);
    for (std::size_t cell = 0; cell < covered_.size(); ++cell) {
      if (covered_[cell] >= step) continue;
      const float scale =
          covered_[cell] >= static_cast<float>(least_covered) * step ? step / covered_[cell] : static_cast<float>(unknown_amount);
      for (auto& amounts : matrix_.amounts) amounts[cell] *= scale;
    }
  }

 private:
  TrafficMatrix& matrix_;
  std::int64_t from_, step_, longest_;
  std::vector<float> covered_;  // microseconds
};

}  // namespace

Result<std::vector<TrafficMatrix>> block_traffic(const Snapshot& snapshot, Database& database, const std::vector<std::string>& filesystems,
                                                 std::int32_t day) {
  std::vector<TrafficMatrix> matrices(filesystems.size());
  std::vector<Servers> servers(filesystems.size());
  std::vector<std::optional<Filler>> fillers(filesystems.size());
  const Time from = block_begin(day) - block_context, to = block_end(day) + block_context;
  for (std::size_t f = 0; f < filesystems.size(); ++f) {
    TRY(servers[f], servers_of(snapshot, database, filesystems[f], day));
    TRY(matrices[f], empty_matrix(snapshot, database, filesystems[f], day, servers[f], from, to));
    if (matrices[f].slots > 0)
      fillers[f].emplace(matrices[f], static_cast<std::int64_t>(gap_factor * static_cast<double>(matrices[f].step.count())));
  }
  if (std::none_of(fillers.begin(), fillers.end(), [](const auto& each) { return each.has_value(); })) return matrices;
  for (const std::int32_t each : {day - 1, day}) {
    SeriesIndex series;
    std::vector<Place> places;  // by series
    const ScanOptions options{.filesystem = filesystems.size() == 1 ? &filesystems.front() : nullptr,
                              .counters = byte_counters,
                              .after = each == day ? no_time : from};
    TRY_VOID(scan_increments(snapshot, database, each, series, options, [&](const IncrementRun& run) {
      while (places.size() < series.names().size()) places.push_back(place_of(series.names()[places.size()], filesystems, servers));
      const Place& place = places[run.series];
      if (place.filesystem < filesystems.size() && fillers[place.filesystem]) fillers[place.filesystem]->add(run, place.column);
    }));
  }
  for (auto& filler : fillers)
    if (filler) filler->finish();
  return matrices;
}

}  // namespace fathom::mine
