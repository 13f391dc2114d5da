// SPDX-License-Identifier: Apache-2.0
#include "fit/fit_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fit/continuous.h"
#include "fit/least_bandwidth.h"
#include "fit/student.h"

namespace fathom::fit {
namespace {

using namespace simulate;

constexpr std::size_t fewest_intervals = 3;                   // of continuous I/O, for an estimate
constexpr std::size_t most_simulated = 32;                    // of them, evenly chosen
constexpr std::size_t fastest_simulated = 4;                  // for the bound
constexpr std::uint64_t most_requests_simulated = 1'000'000;  // of an interval; above, what waits at its start does not matter
constexpr std::uint64_t no_limit = 1'000'000 * GiB;

struct Link {
  std::string_view parameter;
  std::uint64_t Architecture::*bandwidth, Architecture::*other;
};
constexpr Link external_link{external_link_bandwidth, &Architecture::external_bandwidth, &Architecture::disk_bandwidth};
constexpr Link disk_link{disk_link_bandwidth, &Architecture::disk_bandwidth, &Architecture::external_bandwidth};

/// One link and direction at a time; the other link has no limits, so that it cannot be the reason for anything.
class LinkFit {
 public:
  LinkFit(const Link& link, Kind kind, const Architecture& architecture, const Work& work, const CounterFitOptions& options)
      : link_(link), kind_(kind), architecture_(architecture), work_(work), options_(options) {
    architecture_.*link.other = no_limit;
  }

  Result<Fitted> fit(std::span<const LinkLoad> loads) {
    Fitted row{.parameter = std::string(link_.parameter),
               .kind = kind_,
               .server = {},
               .value = {},
               .unit = bytes_per_second,
               .lower = {},
               .upper = {},
               .observations = 0,
               .method = "none",
               .r_squared = {},
               .deviation = {},
               .notes = {}};
    const Continuous found = find_continuous(loads, options_.tolerance);
    if (found.fastest == 0) {
      row.notes = "no bytes in this direction";
      return row;
    }
    if (found.intervals.size() >= fewest_intervals && found.faster == 0) {
      TRY_VOID(estimate(loads, found, row));
    } else {
      TRY_VOID(bound(loads, row));
      if (row.lower) row.notes = why_no_estimate(found);
    }
    return row;
  }

 private:
  /// The mean of what single intervals say, and Student's t around it.
  Result<void> estimate(std::span<const LinkLoad> loads, const Continuous& found, Fitted& row) {
    std::vector<Interval> chosen;
    const std::size_t count = std::min(most_simulated, found.intervals.size());
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(found.intervals[i * found.intervals.size() / count]);
    TRY(const std::vector<double> values, simulated(loads, chosen));
    if (values.size() < fewest_intervals) return too_slow(row);
    const double n = static_cast<double>(values.size());
    double mean = 0, squares = 0;
    for (const double each : values) mean += each / n;
    for (const double each : values) squares += (each - mean) * (each - mean);
    const double half = student_quantile((1 + options_.confidence) / 2, n - 1) * std::sqrt(squares / (n - 1) / n);
    row.value = mean, row.lower = mean - half, row.upper = mean + half;
    row.observations = values.size();
    row.method = "continuous intervals";
    row.notes = fmt::format("{} intervals of continuous I/O", found.intervals.size());
    return {};
  }

  Result<void> bound(std::span<const LinkLoad> loads, Fitted& row) {
    TRY(const std::vector<double> values, simulated(loads, fastest_intervals(loads, fastest_simulated)));
    if (values.empty()) return too_slow(row);
    row.lower = *std::max_element(values.begin(), values.end());
    row.observations = 1;
    row.method = "lower bound";
    return {};
  }

  static Result<void> too_slow(Fitted& row) {
    row.notes = "no bandwidth is enough: another part of the scenario (tree, compute nodes) is slower than the machine was";
    return {};
  }

  static std::string why_no_estimate(const Continuous& found) {
    if (!found.mostly_exact) return "counters that share this link are read at different times: no estimate";
    if (found.intervals.size() < fewest_intervals) return "no continuous I/O was seen: the link could be of any speed above";
    return fmt::format("{} {} faster than the highest rate that was kept up ({:.4g} bytes/s): no limit was seen", found.faster,
                       found.faster == 1 ? "interval is" : "intervals are", found.sustained);
  }

  /// What each interval needs at least; without those that the rest of the model is too slow for.
  Result<std::vector<double>> simulated(std::span<const LinkLoad> loads, const std::vector<Interval>& intervals) {
    std::vector<double> values;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const LinkLoad& load = loads[intervals[i].load];
      if (options_.watch) options_.watch(i, intervals.size());
      if (requests(load, load.intervals[intervals[i].interval]) > most_requests_simulated) {
        values.push_back(load.intervals[intervals[i].interval].rate());  // no link could do it with less
        continue;
      }
      TRY(const LeastBandwidth least, least_bandwidth(architecture_, link_.bandwidth, work_, load, intervals[i].interval));
      if (least.bytes_per_second) values.push_back(static_cast<double>(*least.bytes_per_second));
    }
    return values;
  }

  std::uint64_t requests(const LinkLoad& load, const LoadInterval& interval) const {
    std::uint64_t sum = 0;
    for (std::size_t i = interval.first; i < interval.last; ++i)
      sum = std::min(most_requests_simulated + 1, sum + RequestSequence(load.parts[i].amounts, architecture_.ciod_buffer).size());
    return sum;
  }

  const Link& link_;
  const Kind kind_;
  Architecture architecture_;
  const Work& work_;
  const CounterFitOptions& options_;
};

}  // namespace

Result<std::vector<Fitted>> fit_counters(const Architecture& architecture, const Work& work, const CounterFitOptions& options) {
  std::vector<Fitted> rows;
  for (const Kind kind : {Kind::read, Kind::write}) {
    const std::vector<LinkLoad> loads = external_link_loads(work, kind);
    LinkFit link(external_link, kind, architecture, work, options);
    const double fastest = options.by_server ? find_continuous(loads, options.tolerance).fastest : 0;
    for (std::size_t i = 0; options.by_server && i < loads.size(); ++i) {
      TRY(Fitted row, link.fit(std::span(loads).subspan(i, 1)));
      row.server = loads[i].name;
      if (row.value && fastest > *row.value * (1 + options.tolerance))
        add_note(row.notes, "other servers were faster: this one is slower, or was asked for no more");
      rows.push_back(std::move(row));
    }
    if (options.by_server) continue;
    TRY(Fitted row, link.fit(loads));
    rows.push_back(std::move(row));
  }
  for (const Kind kind : {Kind::read, Kind::write}) {
    if (options.by_server) break;
    const std::vector<LinkLoad> loads = disk_link_loads(work, kind);
    TRY(Fitted row, LinkFit(disk_link, kind, architecture, work, options).fit(loads));
    if (work.nodes.size() == 1 && row.method != "none")
      add_note(row.notes, "one server: its external link and the disk link cannot be told apart");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fathom::fit
