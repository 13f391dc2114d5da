// SPDX-License-Identifier: Apache-2.0
#include "mine/counted.h"

#include <algorithm>

namespace fathom::mine {
namespace {

constexpr std::size_t few_runs = 20;  // every one matters
constexpr std::size_t part = 8;       // so small a part more changes little

/// Taken at their word longer ones would cover all other runs and all time without the application.
constexpr double longest_run = 31 * 86'400.0;

}  // namespace

bool possible(const Run& run) {
  const double length = seconds(run.end.time_since_epoch()) - seconds(run.start.time_since_epoch());
  return length > 0 && length <= longest_run;
}

std::size_t counted_of(std::size_t runs) {
  if (runs <= few_runs) return runs;
  std::size_t count = few_runs;
  while (count + count / part <= runs) count += count / part;
  return count;
}

Time counted_until(const std::vector<Run>& runs) {
  std::vector<Time> ends;
  for (const Run& run : runs)
    if (possible(run)) ends.push_back(run.end);
  if (ends.size() <= few_runs) return no_limit;
  const auto last = ends.begin() + static_cast<std::ptrdiff_t>(counted_of(ends.size()) - 1);
  std::nth_element(ends.begin(), last, ends.end());
  return *last;
}

}  // namespace fathom::mine
