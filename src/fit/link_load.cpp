// SPDX-License-Identifier: Apache-2.0
#include "fit/link_load.h"

#include <algorithm>
#include <map>
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
  load.intervals.push_back({part.start, part.end, 0, follows, load.parts.size(), load.parts.size()});
}

/// Parts in order; those with the same interval are one.
LinkLoad merged(const std::string& name, const std::vector<WorkIncrement>& parts) {
  LinkLoad load;
  load.name = name;
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

}  // namespace

std::vector<LinkLoad> external_link_loads(const Work& work, Kind kind) {
  std::vector<LinkLoad> loads;
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    std::vector<WorkIncrement> parts = increments_of(work.nodes[n], n, kind);
    const auto in_order = [](const WorkIncrement& a, const WorkIncrement& b) { return std::tie(a.start, a.end) < std::tie(b.start, b.end); };
    std::stable_sort(parts.begin(), parts.end(), in_order);
    LinkLoad together = merged(work.nodes[n].name, parts);
    if (!overlaps(together)) {
      loads.push_back(std::move(together));
      continue;
    }
    std::map<std::uint32_t, std::vector<WorkIncrement>> by_series;
    for (const WorkIncrement& each : parts) by_series[each.series].push_back(each);
    for (const auto& [series, own] : by_series) loads.push_back(merged(work.nodes[n].name, own));
  }
  return loads;
}

LinkLoad disk_link_load(const Work& work, Kind kind) {
  LinkLoad load;
  std::vector<WorkIncrement> all;
  for (std::uint32_t n = 0; n < work.nodes.size(); ++n) {
    const std::vector<WorkIncrement> parts = increments_of(work.nodes[n], n, kind);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  if (all.empty()) return load;
  std::stable_sort(all.begin(), all.end(), [](const WorkIncrement& a, const WorkIncrement& b) { return std::tie(a.end, a.node) < std::tie(b.end, b.node); });
  const Picoseconds step = usual_length(all), first_end = all.front().end;
  std::int64_t slot = -2;
  for (const WorkIncrement& part : all) {
    if (part.end - part.start > step + step / 2) continue;  // a gap: nobody knows when in it
    const std::int64_t own = (part.end - first_end + step / 2) / step;
    if (own != slot) begin_interval(load, part, own == slot + 1);
    slot = own;
    append(load, part);
  }
  for (const LoadInterval& each : load.intervals) load.aligned = load.aligned && each.end - each.start <= step + step / 20;
  return load;
}

}  // namespace fathom::fit
