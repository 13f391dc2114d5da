// SPDX-License-Identifier: Apache-2.0
#include "trace/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>

namespace fathom::trace {
namespace {

constexpr std::int64_t furthest = std::int64_t{1} << 61;
constexpr std::int64_t step_worth_telling = 10'000'000;  // 10 ms: what slewing of the clock of day does not reach in a run

/// Earliest and latest reading of one clock.
struct Readings {
  std::optional<ClockPair> first, last;
  void add(const ClockPair& pair) {
    const auto sane = [](std::int64_t t) { return t > -furthest && t < furthest; };
    if (pair.ticks == 0 || !sane(pair.monotonic) || !sane(pair.realtime)) return;
    if (!first || pair.ticks < first->ticks) first = pair;
    if (!last || pair.ticks > last->ticks) last = pair;
  }
};

ClockLine line_through(std::uint64_t zero, std::int64_t at_zero, double slope) {
  ClockLine line{zero, std::clamp(at_zero, -furthest, furthest), 0};
  line.slope = static_cast<std::int64_t>(std::ldexp(std::clamp(slope, 1e-6, 8.0), ClockLine::shift));
  return line;
}

struct Host {
  Readings tsc, monotonic;
  ClockLine lines[2];              // by `is_tsc`
  std::vector<std::size_t> ranks;  // processes that were in the barriers
};

bool is_tsc(const ProcessDetails& process) { return process.clock == ClockKind::tsc; }

void find_lines(const std::string& name, Host& host, std::vector<std::string>& problems) {
  for (const bool tsc : {false, true}) {
    const Readings& readings = tsc ? host.tsc : host.monotonic;
    if (!readings.first) continue;
    const ClockPair &a = *readings.first, &b = *readings.last;
    const auto ticks = static_cast<double>(b.ticks - a.ticks);
    double slope = 1;
    if (tsc && (ticks == 0 || b.monotonic <= a.monotonic))
      problems.push_back(fmt::format("the clock of {} was read only once: times are in its ticks", name));
    else if (tsc)
      slope = static_cast<double>(b.monotonic - a.monotonic) / ticks;
    host.lines[tsc] = line_through(a.ticks, a.realtime, slope);
    const std::int64_t step = (b.realtime - a.realtime) - (b.monotonic - a.monotonic);
    if (std::llabs(step) > step_worth_telling)
      problems.push_back(
          fmt::format("the time of day of {} was changed by {:.3f} s during the run; times follow the clock as it was at the start", name,
                      static_cast<double>(step) * 1e-9));
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// When the ranks of a host left a barrier, in nanoseconds after `origin`.
std::optional<double> barrier(const Host& host, const std::vector<ProcessDetails>& processes, std::uint64_t ProcessDetails::*ticks,
                              std::int64_t origin) {
  std::vector<double> times;
  for (const std::size_t i : host.ranks)
    if (const std::uint64_t t = processes[i].*ticks; t != 0 && host.lines[is_tsc(processes[i])].reaches(t))
      times.push_back(static_cast<double>(host.lines[is_tsc(processes[i])](t) - origin));
  if (times.empty()) return std::nullopt;
  return median(std::move(times));
}

/// Shifts a line by `offset` at the time `zero` (ns after `origin`), and by `drift` more for each nanosecond since.
void correct(ClockLine& line, std::int64_t origin, double zero, double offset, double drift) {
  const double at = static_cast<double>(line.at_zero - origin);
  const double moved = offset + (at - zero) * drift;
  line.at_zero = std::clamp(line.at_zero - static_cast<std::int64_t>(std::clamp(moved, -1e18, 1e18)), -furthest, furthest);
  line.slope -= static_cast<std::int64_t>(static_cast<double>(line.slope) * drift);
}

/// What the barriers say about a host against the reference.
double correct_host(Host& host, const Host& reference, const std::vector<ProcessDetails>& processes, std::int64_t origin) {
  const auto zero = barrier(host, processes, &ProcessDetails::zero_ticks, origin),
             zero_there = barrier(reference, processes, &ProcessDetails::zero_ticks, origin);
  if (!zero || !zero_there) return 0;
  const auto last = barrier(host, processes, &ProcessDetails::last_ticks, origin),
             last_there = barrier(reference, processes, &ProcessDetails::last_ticks, origin);
  const double offset = *zero - *zero_there;
  double disagreement = 0, drift = 0;
  if (last && last_there && *last > *zero) {
    disagreement = (*last - *last_there) - offset;
    drift = std::clamp(disagreement / (*last - *zero), -0.01, 0.01);
  }
  for (ClockLine& line : host.lines) correct(line, origin, *zero, offset, drift);
  return std::fabs(disagreement) * 1e-9;
}

}  // namespace

Clocks put_on_one_clock(const std::vector<ProcessDetails>& processes) {
  Clocks clocks;
  std::map<std::tuple<std::string, std::string>, Host> hosts;
  Host* reference = nullptr;
  std::int32_t lowest = INT32_MAX;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const ProcessDetails& process = processes[i];
    Host& host = hosts[{process.host, process.boot}];
    for (const ClockPair& pair : {process.start, process.end, process.now}) (is_tsc(process) ? host.tsc : host.monotonic).add(pair);
    if (process.rank < 0 || process.zero_ticks == 0) continue;
    host.ranks.push_back(i);
    if (process.rank < lowest) {
      lowest = process.rank;
      reference = &host;
    }
  }
  for (auto& [name, host] : hosts) find_lines(std::get<0>(name), host, clocks.problems);
  if (reference != nullptr) {
    const Host as_it_was = *reference;
    const std::int64_t origin = as_it_was.lines[is_tsc(processes[as_it_was.ranks.front()])].at_zero;
    for (auto& [name, host] : hosts)
      if (&host != reference && !host.ranks.empty())
        clocks.drift = std::max(clocks.drift, correct_host(host, as_it_was, processes, origin));
  }
  for (const ProcessDetails& process : processes) clocks.lines.push_back(hosts[{process.host, process.boot}].lines[is_tsc(process)]);
  return clocks;
}

}  // namespace fathom::trace
