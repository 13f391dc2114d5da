// SPDX-License-Identifier: Apache-2.0
#include "mine/traffic_matrix.h"

#include <algorithm>

namespace fathom::mine {

TrafficSeries TrafficMatrix::total(std::size_t direction, double coverage) const {
  TrafficSeries all{start, step, std::vector<double>(slots, unknown_amount)};
  const double needed = std::max(coverage * static_cast<double>(servers), 1.0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const float* row = amounts[direction].data() + slot * servers;
    double sum = 0, known = 0;
    for (std::size_t server = 0; server < servers; ++server) {
      const bool there = !std::isnan(row[server]);
      sum += there ? static_cast<double>(row[server]) : 0;
      known += there;
    }
    if (known >= needed) all.amounts[slot] = sum * (static_cast<double>(servers) / known);
  }
  return all;
}

}  // namespace fathom::mine
