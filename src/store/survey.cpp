// SPDX-License-Identifier: Apache-2.0
#include "store/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

struct LengthClass {
  std::int64_t length;  // rounded, microseconds
  std::uint64_t count;
  std::int64_t sum;  // exact
};

/// Median length, then gaps and covered time by it.
void judge_lengths(SeriesSurvey& series, std::vector<LengthClass>& classes) {
  std::sort(classes.begin(), classes.end(), [](const LengthClass& a, const LengthClass& b) { return a.length < b.length; });
  std::uint64_t all = 0, below = 0;
  for (const LengthClass& c : classes) all += c.count;
  for (const LengthClass& c : classes) {
    below += c.count;
    if (below * 2 >= all) {
      series.usual_interval = Duration{c.length};
      break;
    }
  }
  const double limit = gap_factor * static_cast<double>(series.usual_interval.count());
  for (const LengthClass& c : classes) {
    if (static_cast<double>(c.length) > limit) {
      series.gaps += c.count;
    } else {
      series.covered += Duration{c.sum};
    }
  }
}

/// Per server: file systems without job tags if there are any, else its total, else its job tags.
void choose_what_counts(std::vector<SeriesSurvey>& all) {
  auto rank = [](const SeriesName& name) { return !name.job.empty() ? 0 : name.filesystem.empty() ? 1 : 2; };
  std::map<std::string, int> best;
  for (const SeriesSurvey& series : all) {
    const auto [at, added] = best.try_emplace(series.name.server, rank(series.name));
    if (!added) at->second = std::max(at->second, rank(series.name));
  }
  for (SeriesSurvey& series : all) series.counts = rank(series.name) == best[series.name.server];
}

Result<void> read_lengths(const Snapshot& snapshot, Database& database, std::vector<SeriesSurvey>& all) {
  // One pass: rows of one series and one rounded length become one.
  std::string sums, any;
  for (std::size_t c = 0; c < counter_count; ++c) sums += fmt::format(", sum({0})::BIGINT, count({0})", amount_of(c));
  TRY(Rows rows,
      database.query(fmt::format(
          "WITH i AS (SELECT *, epoch_us(end_time) - epoch_us(start_time) AS length FROM {}) "
          "SELECT server, filesystem, coalesce(job, ''), "
          "CASE WHEN length < 10000000 THEN (length + 500) // 1000 * 1000 ELSE (length + 500000) // 1000000 * 1000000 END AS rounded, "
          "(flags & {}) <> 0 AS unmeasured, count(*), sum(length)::BIGINT, min(start_time), max(end_time){} "
          "FROM i GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3",
          snapshot.rows_of(increments_table), static_cast<int>(unmeasured_flags), sums)));
  std::vector<LengthClass> classes;
  while (rows.next()) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      SeriesName name{std::string(rows.text(0, r)), std::string(rows.text(1, r)), std::string(rows.text(2, r))};
      if (all.empty() || all.back().name != name) {
        if (!all.empty()) judge_lengths(all.back(), classes);
        classes.clear();
        all.emplace_back();
        all.back().name = std::move(name);
        all.back().first = rows.time(7, r);
        all.back().last = rows.time(8, r);
      }
      SeriesSurvey& series = all.back();
      const auto count = static_cast<std::uint64_t>(rows.number(5, r));
      series.first = std::min(series.first, rows.time(7, r));
      series.last = std::max(series.last, rows.time(8, r));
      if (rows.number(4, r) != 0) {
        series.unmeasured += count;
        continue;
      }
      series.increments += count;
      classes.push_back({rows.number(3, r), count, rows.number(6, r)});
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (rows.is_null(9 + 2 * c, r)) continue;
        series.has |= static_cast<CounterMask>(1u << c);
        series.sums[c] += static_cast<std::uint64_t>(rows.number(9 + 2 * c, r));
      }
    }
  }
  if (!all.empty()) judge_lengths(all.back(), classes);
  return rows.status();
}

}  // namespace

Result<StoreSurvey> survey(const Snapshot& snapshot, Database& database) {
  StoreSurvey result;
  TRY_VOID(read_lengths(snapshot, database, result.series));
  choose_what_counts(result.series);
  TRY(Rows rows, database.query(fmt::format(
                     "SELECT count(DISTINCT (server, start_time)) FILTER (flags & {0} <> 0), count(*) FILTER (flags & {1} <> 0), "
                     "count(*) FILTER (flags & {2} <> 0), count(*) FILTER (flags & {3} <> 0), count(*) FILTER (flags & {4} <> 0) FROM {5} "
                     "WHERE flags <> 0",
                     static_cast<int>(after_reset), static_cast<int>(reset_inferred), static_cast<int>(wrapped),
                     static_cast<int>(unmounted), static_cast<int>(expired), snapshot.rows_of(increments_table))));
  if (rows.next()) {
    std::uint64_t* const counts[] = {&result.resets, &result.resets_inferred, &result.wraps, &result.unmounts, &result.expiries};
    for (std::size_t i = 0; i < 5; ++i) *counts[i] = static_cast<std::uint64_t>(rows.number(i, 0));
  }
  TRY_VOID(rows.status());
  return result;
}

StoreSurvey::Total StoreSurvey::total() const {
  Total total;
  double covered = 0, span = 0;
  for (const SeriesSurvey& s : series) {
    if (!s.counts) continue;
    total.any = true;
    total.increments += s.increments;
    total.gaps += s.gaps;
    total.has |= s.has;
    for (std::size_t c = 0; c < counter_count; ++c) total.sums[c] += s.sums[c];
    total.first = total.first == no_time ? s.first : std::min(total.first, s.first);
    total.last = std::max(total.last, s.last);
    covered += seconds(s.covered);
    span += seconds(s.last - s.first);
  }
  total.coverage = span > 0 ? covered / span : 0;
  return total;
}

}  // namespace fathom
