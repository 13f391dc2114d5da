// SPDX-License-Identifier: Apache-2.0
#include "compete/overlap.h"

#include <algorithm>

namespace fathom::compete {
namespace {

/// When an application had at least one process, in order and apart.
std::vector<Stretch> running(const Application& application) {
  std::vector<Stretch> all, merged;
  for (const slices::Process& process : application.profile->processes)
    if (process.end > process.start) all.push_back({process.start, process.end});
  std::sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  for (const Stretch& stretch : all) {
    if (!merged.empty() && stretch.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, stretch.end);
    } else {
      merged.push_back(stretch);
    }
  }
  return merged;
}

std::vector<Stretch> in_both(std::span<const Stretch> a, std::span<const Stretch> b) {
  std::vector<Stretch> common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Stretch both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (both.begin < both.end) common.push_back(both);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return common;
}

/// Keeps those of `numbers` in which the process moved data. Both are in order.
void keep_moving(std::vector<std::int64_t>& numbers, const slices::Process& process, Direction direction) {
  auto slice = process.slices.begin();
  std::erase_if(numbers, [&](std::int64_t number) {
    while (slice != process.slices.end() && slice->number < number) ++slice;
    return slice == process.slices.end() || slice->number != number || slices::moved(slice->values, direction) == 0;
  });
}

}  // namespace

std::vector<Stretch> running_together(std::span<const Application> applications, bool trimmed) {
  std::vector<Stretch> common;
  for (std::size_t i = 0; i < applications.size(); ++i) {
    std::vector<Stretch> own = running(applications[i]);
    const slices::Phase& phase = applications[i].phase;
    if (trimmed) own = phase.slices == 0 ? std::vector<Stretch>{} : std::vector<Stretch>{{phase.begin, phase.end}};
    common = i == 0 ? std::move(own) : in_both(common, own);
  }
  return common;
}

std::int64_t length_of(std::span<const Stretch> stretches) {
  std::int64_t length = 0;
  for (const Stretch& stretch : stretches) length += stretch.end - stretch.begin;
  return length;
}

ActiveOverlap active_overlap(std::span<const Application> applications, Direction direction) {
  // From one process's slices, whatever does not hold for the next is dropped: what is looked at only shrinks.
  std::vector<std::int64_t> numbers;
  bool first = true;
  for (const Application& application : applications) {
    if (application.movers.empty()) return {};
    for (const slices::Process* process : application.movers) {
      if (first) {
        for (const slices::Slice& slice : process->slices) numbers.push_back(slice.number);
        first = false;
      }
      keep_moving(numbers, *process, direction);
    }
  }
  ActiveOverlap longest;
  for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    for (end = begin + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    if (static_cast<std::int64_t>(end - begin) > longest.slices) longest = {numbers[begin], static_cast<std::int64_t>(end - begin)};
  }
  return longest;
}

}  // namespace fathom::compete
