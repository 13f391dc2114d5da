// SPDX-License-Identifier: Apache-2.0
/// What a file system gives to all its writers together, as a function of how many there are.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom::sharing {

class Capacity {
 public:
  struct Point {
    std::uint64_t writers = 1;
    double rate = 1;
  };

  /// The same for any number of writers.
  explicit Capacity(double rate) : points_{{1, rate}} {}
  /// Straight lines between the points, which have rising numbers of writers; constant before the first and after the last.
  explicit Capacity(std::vector<Point> points);

  double at(std::uint64_t writers) const;
  bool constant() const { return points_.size() == 1; }
  std::uint64_t most_writers() const { return points_.back().writers; }

 private:
  std::vector<Point> points_;
};

}  // namespace fathom::sharing
