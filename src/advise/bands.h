// SPDX-License-Identifier: Apache-2.0
/// Bands of throughput of one server: 0 to 30 MB/s, 30 to 60 MB/s, ... up to its peak.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fathom::advise {

inline constexpr std::size_t most_bands = 200;

struct Bands {
  double width = 30e6;  // bytes per second; AID, section V-A
  double peak = 500e6;  // of one server

  std::size_t count() const {
    return static_cast<std::size_t>(std::clamp(std::ceil(peak / width - 1e-9), 1.0, static_cast<double>(most_bands)));
  }
  /// What is above the peak belongs to the last band.
  std::size_t of(double throughput) const {
    const double at = throughput / width;
    return at >= static_cast<double>(count()) ? count() - 1 : at > 0 ? static_cast<std::size_t>(at) : 0;
  }
};

}  // namespace fathom::advise
