// SPDX-License-Identifier: Apache-2.0
#include "mine/boxes.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

constexpr double least_share = 0.1;  // of the level: what contention does to the rate of a burst is no burst
constexpr double alike = 0.3;        // heights whose logarithms differ by less belong together

struct Edge {
  double at;      // in slots
  double height;  // negative: down
  double before, after;
};

/// Changes in one direction over neighbouring slots are one edge: a burst begins within a slot, and its servers end one by one. Where a
/// step from `before` to `after` at time x fills the slots between by their sum, x follows from it.
std::vector<Edge> edges_of(std::span<const double> values, std::span<const double> least) {
  std::vector<Edge> edges;
  for (std::size_t i = 1; i < values.size();) {
    const bool up = values[i] > values[i - 1];
    std::size_t last = i;
    const auto goes_on = [&](std::size_t k) {
      const double change = up ? values[k] - values[k - 1] : values[k - 1] - values[k];
      return change > 0.4 * least[k];
    };
    if (!goes_on(i)) {
      ++i;
      continue;
    }
    while (last + 1 < values.size() && goes_on(last + 1)) ++last;
    const double before = values[i - 1], after = values[last];
    double filled = 0;
    for (std::size_t k = i; k < last; ++k) filled += (values[k] - before) / (after - before);
    const double level = std::max(std::abs(before), std::abs(after));
    if (std::abs(after - before) >= std::max(least[i], least_share * level))
      edges.push_back({static_cast<double>(last) - filled, after - before, before, after});
    i = last + 1;
  }
  return edges;
}

class Matching {
 public:
  void up(const Edge& edge) {
    open_.push_back({edge, edge.height, open_.empty()});
    if (open_.size() > 1)
      for (Open& each : open_) each.alone = false;
  }

  void down(const Edge& edge) {
    const double height = -edge.height;
    double all = 0;
    for (const Open& each : open_) all += each.height;
    std::size_t best = open_.size();
    double best_ratio = std::abs(std::log(all / height));
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const double ratio = std::abs(std::log(open_[i].height / height));
      if (ratio <= best_ratio) best = i, best_ratio = ratio;
    }
    if (open_.empty()) return;
    if (best < open_.size() && best_ratio < alike) {
      close(best, edge);
    } else if (best == open_.size() && (best_ratio < alike || height > all)) {
      while (!open_.empty()) close(0, edge);
    } else {
      partly(edge, height);
    }
  }

  void finish(double at) {
    while (!open_.empty()) close(0, {at, 0, 0, 0});
  }

  std::vector<Box> boxes;

 private:
  struct Open {
    Edge edge;
    double height;
    bool alone;
  };

  /// Fits no box: several of them ended at a time, the rest of the greatest one lost speed.
  void partly(const Edge& edge, double height) {
    std::sort(open_.begin(), open_.end(), [](const Open& a, const Open& b) { return a.height > b.height; });
    double left = height;
    for (std::size_t i = 0; i < open_.size();) {
      if (open_[i].height <= left * std::exp(alike)) {
        left -= open_[i].height;
        close(i, edge);
        if (left <= 0.3 * height) return;
      } else {
        ++i;
      }
    }
    if (!open_.empty() && left > 0) open_.front().height = std::max(open_.front().height - left, 0.05 * open_.front().height);
  }

  void close(std::size_t i, const Edge& edge) {
    const Open& box = open_[i];
    const double height = box.edge.height;
    // An edge up at the very end of the traffic, or right before a gap, begins nothing that was seen.
    if (edge.at > box.edge.at)
      boxes.push_back(
          {.start = box.edge.at, .end = edge.at, .height = height, .area = height * (edge.at - box.edge.at), .alone = box.alone});
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::vector<Open> open_;
};

/// A box alone on its shoulder has all that is above the shoulder.
void measure_alone(std::span<const double> values, Box& box) {
  const auto first = static_cast<std::size_t>(std::max(std::floor(box.start), 1.0));
  const auto end = std::min(static_cast<std::size_t>(std::ceil(box.end)), values.size() - 1);
  const double shoulder = (values[first - 1] + values[end]) / 2;
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += values[i] - shoulder;
  if (sum > 0) box.area = sum;
}

}  // namespace

std::vector<Box> boxes_of(std::span<const double> values, std::span<const double> least) {
  Matching matching;
  if (values.size() < 3) return {};
  for (const Edge& edge : edges_of(values, least)) {
    if (edge.height > 0) {
      matching.up(edge);
    } else {
      matching.down(edge);
    }
  }
  matching.finish(static_cast<double>(values.size() - 1));
  for (Box& box : matching.boxes)
    if (box.alone) measure_alone(values, box);
  std::sort(matching.boxes.begin(), matching.boxes.end(), [](const Box& a, const Box& b) { return a.start < b.start; });
  return matching.boxes;
}

}  // namespace fathom
