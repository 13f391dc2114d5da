// SPDX-License-Identifier: Apache-2.0
#include "slices/phase.h"

#include <algorithm>

namespace fathom::slices {

Phase io_phase(const Series& series, Direction direction) {
  const auto active = [&](const Sum& sum) { return sum.active[static_cast<std::size_t>(direction)]; };
  std::uint32_t most = 0;
  for (const Sum& sum : series.sums) most = std::max(most, active(sum));
  Phase phase;
  if (most == 0) return phase;
  const auto enough = [&](const Sum& sum) { return 2 * active(sum) >= most; };
  const auto front = std::find_if(series.sums.begin(), series.sums.end(), enough);
  const auto back = std::find_if(series.sums.rbegin(), series.sums.rend(), enough);
  phase.first = series.first + (front - series.sums.begin());
  phase.slices = series.last() - (back - series.sums.rbegin()) - phase.first + 1;
  // A clock that was set may have put slices outside the application's run time: then the slices count.
  const std::int64_t begin = phase.first * series.length, end = (phase.last() + 1) * series.length;
  phase.begin = series.start < end ? std::max(begin, series.start) : begin;
  phase.end = series.end > begin ? std::min(end, series.end) : end;
  phase.start_up = std::max<std::int64_t>(0, phase.begin - series.start);
  phase.ending = std::max<std::int64_t>(0, series.end - phase.end);
  return phase;
}

std::uint64_t bytes_in(const Series& series, Direction direction, std::int64_t first, std::int64_t slices) {
  std::uint64_t bytes = 0;
  const std::int64_t end = std::min(first + slices, series.last() + 1);
  for (std::int64_t number = std::max(first, series.first); number < end; ++number) bytes += moved(series.at(number).values, direction);
  return bytes;
}

}  // namespace fathom::slices
