// SPDX-License-Identifier: Apache-2.0
#include "fit/link_load.h"

#include <algorithm>
#include <tuple>

namespace fathom::fit {
namespace {

using namespace simulate;

std::vector<WorkIncrement> increments_of(const NodeWork& node, std::uint32_t number, Kind kind) {
  std::vector<WorkIncrement> found;
  const auto k = static_cast<std::size_t>(kind);
  for (const Step& step : node.steps) {
    if (step.what != Step::What::increment || step.end <= step.start) continue;
    WorkIncrement each{number, step.start, step.end, {}, step.series};
    each.amounts.bytes[k] = step.amounts.bytes[k];
    each.amounts.operations[k] = step.amounts.operations[k];
    found.push_back(each);
  }
  return found;
}

void append(LinkLoad& load, const WorkIncrement& part) {
  LoadInterval& last = load.intervals.back();
  last.start = std::min(last.start, part.start);
  last.end = std::max(last.end, part.end);
  last.bytes += part.amounts.bytes[0] + part.amounts.bytes[1];
  load.parts.push_back(part);
  last.last = load.parts.size();
}

void begin_interval(LinkLoad& load, const WorkIncrement& part, bool follows) {
  load.intervals.push_back({part.start, part.end, 0, follows, true, load.parts.size(), load.parts.size()});
}

/// Parts in order of start and end; those with the same interval are one.
LinkLoad added(const std::vector<WorkIncrement>& parts) {
  LinkLoad load;
  for (const WorkIncrement& part : parts) {
    const bool same = !load.intervals.empty() && load.intervals.back().start == part.start && load.intervals.back().end == part.end;
    if (!same) begin_interval(load, part, !load.intervals.empty() && load.intervals.back().end == part.start);
    append(load, part);
  }
  return load;
}

bool overlaps(const LinkLoad& load) {
  for (std::size_t i = 1; i < load.intervals.size(); ++i)
    if (load.intervals[i].start < load.intervals[i - 1].end) return true;
  return false;
}

Picoseconds usual_length(const std::vector<WorkIncrement>& parts) {
  std::vector<Picoseconds> lengths;
  for (const WorkIncrement& each : parts) lengths.push_back(each.end - each.start);
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

/// By the stretch of so many sampling steps in which they end. Only those of one step can be exact: longer ones are for bounds.
LinkLoad gathered(std::vector<WorkIncrement> parts, std::int64_t steps) {
  LinkLoad load;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const WorkIncrement& a, const WorkIncrement& b) { return std::tie(a.end, a.node) < std::tie(b.end, b.node); });
  const Picoseconds step = usual_length(parts), first_end = parts.front().end;
  std::int64_t slot = -2;
  for (const WorkIncrement& part : parts) {
    if (part.end - part.start > step + step / 2) continue;  // a gap: nobody knows when in it
    const std::int64_t own = (part.end - first_end + step / 2) / step / steps;
    if (own != slot) begin_interval(load, part, own == slot + 1);
    slot = own;
    append(load, part);
  }
  for (LoadInterval& each : load.intervals) each.exact = steps == 1 && each.end - each.start <= step + step / 20;
  return load;
}

void in_order(std::vector<WorkIncrement>& parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const WorkIncrement& a, const WorkIncrement& b) { return std::tie(a.start, a.end) < std::tie(b.start, b.end); });
}

bool mostly_exact(const LinkLoad& load) {
  const auto exact = std::count_if(load.intervals.begin(), load.intervals.end(), [](const LoadInterval& each) { return each.exact; });
  return 2 * static_cast<std::size_t>(exact) > load.intervals.size();
}

}  // namespace

std::vector<LinkLoad> external_link_loads(const Work& work, Kind kind) {
  std::vector<LinkLoad> loads;
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    std::vector<WorkIncrement> parts = increments_of(work.nodes[n], n, kind);
    in_order(parts);
    loads.push_back(added(parts));
    if (overlaps(loads.back())) loads.back() = gathered(std::move(parts), 1);
    loads.back().name = work.nodes[n].name;
  }
  return loads;
}

std::vector<LinkLoad> disk_link_loads(const Work& work, Kind kind) {
  std::vector<WorkIncrement> all;
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    const std::vector<WorkIncrement> parts = increments_of(work.nodes[n], n, kind);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  in_order(all);
  std::vector<LinkLoad> loads{added(all)};
  if (!overlaps(loads[0])) return loads;
  loads[0] = gathered(all, 1);
  for (std::int64_t steps = 2; steps <= 16 && !mostly_exact(loads[0]); steps *= 2) loads.push_back(gathered(all, steps));
  return loads;
}

}  // namespace fathom::fit
