// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "characterise/analyse.h"
#include "characterise/visits.h"

namespace fathom {
namespace {

std::uint32_t unit_of(const Machine& machine, std::uint32_t job, SeriesId series) {
  const auto& units = machine.units[job];
  const auto at = std::lower_bound(units.begin(), units.end(), machine.series[series].server);
  return static_cast<std::uint32_t>(at - units.begin());
}

/// Puts the stretches of several parts of one series in order: as they are where they follow each other, else sorted anew.
void add_lane(AssembledJob& job, bool inner, std::span<const PartOfUnit> parts) {
  std::vector<std::span<const Stretch>> spans;
  CounterMask has = 0;
  for (const auto& [unit, part] : parts) {
    const auto& stretches = inner ? part->inner : part->edge;
    if (stretches.empty()) continue;
    spans.emplace_back(stretches);
    has |= part->has;
  }
  if (spans.empty()) return;
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.front().from < b.front().from; });
  const auto follows = [](const auto& a, const auto& b) { return a.back().to <= b.front().from; };
  bool in_order =
      std::adjacent_find(spans.begin(), spans.end(), [&](const auto& a, const auto& b) { return !follows(a, b); }) == spans.end();
  for (const auto& span : spans)
    in_order = in_order && std::is_sorted(span.begin(), span.end(), [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
  if (!in_order) {
    auto& all = job.sorted.emplace_back();
    for (const auto& span : spans) all.insert(all.end(), span.begin(), span.end());
    std::sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
    spans = {std::span<const Stretch>(all)};
  }
  job.timeline.lanes.push_back({parts.front().unit, inner, has, std::move(spans)});
}

/// In a window units are all servers there are; those that count metadata alone take no part in moving bytes and are none, unless there are
/// no others.
std::set<std::uint32_t> units_of_metadata(const Machine& machine, std::uint32_t job, const AssembledJob& assembled) {
  std::map<std::uint32_t, CounterMask> counted;
  for (const auto& [unit, part] : assembled.order) counted[unit] |= part->has;
  std::set<std::uint32_t> found;
  for (const auto& [unit, has] : counted)
    if (has != 0 && (has & data_counters) == 0) found.insert(unit);
  if (found.size() == machine.units[job].size()) found.clear();
  return found;
}

/// Of a series in a job's time: how much was measured, and from when to when there were increments.
struct SeenTime {
  std::int64_t covered = 0, first = INT64_MAX, last = INT64_MIN;
};

/// Measured without an increment: the server was visited, and had nothing of this job yet, or no longer.
std::int64_t silent_time(const Machine& machine, std::uint32_t job, SeriesId series, const SeenTime& seen) {
  const MachineSeries& known = machine.series[series];
  if (!machine.tagged[job] || known.name.job.empty() || seen.first > seen.last) return 0;
  const auto& visited = machine.visited[known.server];
  return time_within(visited, machine.spans[job].start, seen.first) + time_within(visited, seen.last, machine.spans[job].end);
}

/// Share of unit-seconds that were measured: of each unit the mean over its series that are known at the time.
std::optional<double> coverage(const Machine& machine, std::uint32_t job, const AssembledJob& assembled,
                               const std::set<std::uint32_t>& left_out) {
  const double duration = static_cast<double>(machine.spans[job].end - machine.spans[job].start);
  if (duration <= 0 || machine.units[job].empty()) return std::nullopt;
  const std::vector<PartOfUnit>& order = assembled.order;
  double sum = 0;
  for (std::size_t i = 0; i < order.size();) {
    const std::uint32_t unit = order[i].unit;
    std::int64_t of_unit = 0, lanes = 0;
    for (; i < order.size() && order[i].unit == unit; ++lanes) {
      const SeriesId series = order[i].part->series;
      SeenTime time;
      for (; i < order.size() && order[i].part->series == series; ++i) {
        const LinkedPart& part = *order[i].part;
        time.covered += part.covered;
        time.first = std::min(time.first, part.first), time.last = std::max(time.last, part.last);
      }
      of_unit += time.covered + silent_time(machine, job, series, time);
    }
    if (!left_out.contains(unit)) sum += static_cast<double>(of_unit) / static_cast<double>(lanes);
  }
  return std::min(1.0, sum / duration / static_cast<double>(machine.units[job].size() - left_out.size()));
}

/// The median over the job's series; each counts once, into however many parts it was cut.
std::int64_t usual_step(const Machine& machine, const AssembledJob& assembled) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < assembled.order.size(); ++i) {
    const SeriesId series = assembled.order[i].part->series;  // of one unit, so that its parts follow each other
    if (i == 0 || series != assembled.order[i - 1].part->series) steps.push_back(machine.series[series].usual_interval);
  }
  if (steps.empty()) return 0;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  return steps[steps.size() / 2];
}

/// Adds the job's part of what it shares, in one order whoever read which day first, and gives the doubt: the sum of max(w, 1 - w), which
/// makes a bound of Eq. 4.10.
double add_shared(Measured& m, const AssembledJob& assembled) {
  std::vector<std::pair<SeriesId, const SharedIncrement*>> order;
  for (const LinkedPart& part : assembled.parts)
    for (const SharedIncrement& shared : part.shared) order.emplace_back(part.series, &shared);
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second->from < b.second->from; });
  double doubt = 0;
  for (const auto& [series, shared] : order) {
    doubt += std::max(shared->weight, 1 - shared->weight);
    for (std::size_t c = flow_count; c < counter_count; ++c)
      m.totals[c] += static_cast<double>(shared->metadata[c - flow_count]) * shared->weight;
  }
  return doubt;
}

std::uint8_t flags_of(const Measured& m, std::uint8_t seen, LinkStrategy link) {
  std::uint8_t flags = 0;
  if (m.coverage && *m.coverage < enough_coverage) flags |= low_coverage;
  for (std::size_t d = 0; d < 2; ++d)
    if (m.upper[d] - m.lower[d] > narrow_band * m.totals[d]) flags |= wide_band;
  if ((seen & saw_reset) != 0) flags |= reset;
  if ((seen & (saw_gap | saw_unmeasured)) != 0) flags |= gap;
  const auto beyond = [](double peak, double inner) { return peak > inner * (1 + 1e-9); };
  for (std::size_t d = 0; d < direction_count; ++d)
    if (beyond(m.swept.peaks.bytes[d], m.swept.inner.bytes[d]) || beyond(m.swept.peaks.ops[d], m.swept.inner.ops[d])) flags |= boundary;
  if (link == LinkStrategy::window) flags |= window;
  return flags;
}

}  // namespace

AssembledJob assemble(const Machine& machine, std::uint32_t job, std::vector<LinkedPart> parts) {
  AssembledJob assembled;
  assembled.parts = std::move(parts);
  assembled.timeline.start = machine.spans[job].start;
  assembled.timeline.end = machine.spans[job].end;
  assembled.timeline.units = static_cast<std::uint32_t>(machine.units[job].size());
  // The order must not depend on who read which day when: numbers are to be the same to the last bit.
  std::vector<PartOfUnit>& order = assembled.order;
  order.reserve(assembled.parts.size());
  for (const LinkedPart& part : assembled.parts) order.push_back({unit_of(machine, job, part.series), &part});
  const auto first_of = [](const LinkedPart* part) {
    const std::int64_t inner = part->inner.empty() ? INT64_MAX : part->inner.front().from,
                       edge = part->edge.empty() ? INT64_MAX : part->edge.front().from;
    return std::min(inner, edge);
  };
  std::sort(order.begin(), order.end(), [&](const PartOfUnit& a, const PartOfUnit& b) {
    if (a.unit != b.unit) return a.unit < b.unit;
    if (a.part->series != b.part->series) return a.part->series < b.part->series;
    return first_of(a.part) < first_of(b.part);
  });
  assembled.sorted.reserve(2 * order.size());  // spans point into it
  assembled.timeline.lanes.reserve(2 * order.size());
  for (std::size_t i = 0, j = 0; i < order.size(); i = j) {
    while (j < order.size() && order[j].part->series == order[i].part->series) ++j;
    const auto of_series = std::span(order).subspan(i, j - i);
    add_lane(assembled, true, of_series);
    add_lane(assembled, false, of_series);
  }
  return assembled;
}

Measured measure(const Machine& machine, std::uint32_t job, const AssembledJob& assembled, Sweeper& sweeper, LinkStrategy link) {
  Measured m;
  m.start = machine.spans[job].start;
  m.end = machine.spans[job].end;
  std::set<std::uint32_t> of_metadata;
  if (link == LinkStrategy::window) of_metadata = units_of_metadata(machine, job, assembled);
  m.units = static_cast<std::uint32_t>(machine.units[job].size() - of_metadata.size());
  m.swept = sweeper.sweep(assembled.timeline);
  std::copy(m.swept.totals.begin(), m.swept.totals.end(), m.totals.begin());
  m.coverage = coverage(machine, job, assembled, of_metadata);
  m.sampling_step = usual_step(machine, assembled);
  std::uint8_t seen = 0;
  std::array<Uint128, counter_count> whole{};
  std::array<Uint128, 2> lower{}, upper{};
  for (const LinkedPart& part : assembled.parts) {
    m.has |= part.has;
    seen |= part.flags;
    for (std::size_t c = flow_count; c < counter_count; ++c) whole[c] += part.metadata[c - flow_count];
    for (std::size_t d = 0; d < 2; ++d) lower[d] += part.lower[d], upper[d] += part.upper[d];
  }
  for (std::size_t c = flow_count; c < counter_count; ++c) m.totals[c] = static_cast<double>(whole[c]);
  for (std::size_t d = 0; d < 2; ++d) m.lower[d] = static_cast<double>(lower[d]), m.upper[d] = static_cast<double>(upper[d]);
  // Worst case errors (Eqs. 4.3, 4.10 as a bound, 4.12): increments in doubt, times the largest one that overlaps the job.
  const double doubt = add_shared(m, assembled);
  const double times = link == LinkStrategy::weighted ? doubt : (link == LinkStrategy::simple ? 1.0 : 2.0) * m.units;
  for (std::size_t d = 0; d < 2; ++d) {
    std::uint64_t largest = 0;
    for (const LinkedPart& part : assembled.parts) largest = std::max(largest, part.largest[d]);
    m.bound[d] = times * static_cast<double>(largest);
  }
  m.flags = flags_of(m, seen, link);
  return m;
}

}  // namespace fathom
