// SPDX-License-Identifier: Apache-2.0
#include "mine/xi_clusters.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace fathom::mine {
namespace {

using Cluster = XiClusters::Cluster;

enum class Way { level, down, up };

struct Slope {
  Way way = Way::level;
  bool steep = false;
};

/// A stretch of the plot that goes steeply one way, and the highest reachability between a way down and where the search is.
struct SteepArea {
  std::uint32_t first, last;
  double highest_since = 0;
};

class Extraction {
 public:
  Extraction(const Reachability& plot, const XiSettings& settings);
  std::vector<Cluster> clusters();

 private:
  SteepArea area_from(std::uint32_t first) const;
  void forget_shallow(double highest);
  void add_clusters(const SteepArea& up);
  std::optional<Cluster> between(const SteepArea& down, const SteepArea& up) const;
  std::optional<Cluster> without_strangers(Cluster cluster) const;

  XiSettings settings_;
  double remaining_;                        // 1 - xi
  std::vector<double> height_;              // the plot, and an infinite point after it
  std::vector<Slope> slope_;                // from each point to the next
  std::vector<std::uint32_t> predecessor_;  // as a place in the plot
  std::vector<SteepArea> ways_down_;        // those that may still begin a cluster
  std::vector<Cluster> found_;
};

Extraction::Extraction(const Reachability& plot, const XiSettings& settings) : settings_(settings), remaining_(1 - settings.xi) {
  const std::size_t count = plot.order.size();
  std::vector<std::uint32_t> place(count);
  for (std::uint32_t i = 0; i < count; ++i) place[plot.order[i]] = i;
  for (const std::uint32_t point : plot.order) {
    height_.push_back(plot.reachability[point]);
    const std::uint32_t from = plot.predecessor[point];
    predecessor_.push_back(from == no_point ? no_point : place[from]);
  }
  height_.push_back(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < count; ++i) {
    // Definition 9. Between two infinite or two zero heights there is no ratio: level.
    const double ratio = height_[i] / height_[i + 1];
    slope_.push_back({ratio > 1 ? Way::down : ratio < 1 ? Way::up : Way::level, ratio <= remaining_ || ratio >= 1 / remaining_});
  }
}

/// Definition 10: from steep point to steep point, never the other way, and at most min_points in a row that are not steep.
SteepArea Extraction::area_from(std::uint32_t first) const {
  const Way way = slope_[first].way;
  SteepArea area{first, first};
  std::uint32_t flat = 0;
  for (std::uint32_t i = first; i < slope_.size(); ++i) {
    const Slope& slope = slope_[i];
    if (slope.way != way && slope.way != Way::level) break;
    flat = slope.steep ? 0 : flat + 1;
    if (flat > settings_.min_points) break;
    if (slope.steep) area.last = i;
  }
  return area;
}

/// A valley that has since risen to about the height where it begins is over (the paper's filter by the maximum in between).
void Extraction::forget_shallow(double highest) {
  if (std::isinf(highest)) return ways_down_.clear();
  std::erase_if(ways_down_, [&](const SteepArea& down) { return highest > height_[down.first] * remaining_; });
  for (SteepArea& down : ways_down_) down.highest_since = std::max(down.highest_since, highest);
}

/// Schubert and Gertz: a last point that was reached from outside is none of the cluster, unless the plot is lower there than at the
/// beginning.
std::optional<Cluster> Extraction::without_strangers(Cluster cluster) const {
  for (; cluster.first < cluster.last; --cluster.last) {
    if (height_[cluster.first] > height_[cluster.last]) return cluster;
    const std::uint32_t from = predecessor_[cluster.last];
    if (from >= cluster.first && from < cluster.last) return cluster;
  }
  return std::nullopt;
}

/// Definition 11.
std::optional<Cluster> Extraction::between(const SteepArea& down, const SteepArea& up) const {
  const double before = height_[down.first], after = height_[up.last + 1];
  if (after * remaining_ < down.highest_since) return std::nullopt;  // 3b: everything inside is lower than both ends
  Cluster cluster{down.first, up.last};
  if (before * remaining_ >= after) {  // 4: the higher end is cut to the height of the other
    while (cluster.first < down.last && height_[cluster.first + 1] > after) ++cluster.first;
  } else if (after * remaining_ >= before) {
    while (cluster.last > up.first && height_[cluster.last - 1] > before) --cluster.last;
  }
  const std::optional<Cluster> corrected = without_strangers(cluster);
  if (!corrected || corrected->last - corrected->first + 1 < settings_.min_cluster_size) return std::nullopt;  // 3a
  if (corrected->first > down.last || corrected->last < up.first) return std::nullopt;                         // 1 and 2
  return corrected;
}

/// The later a way down, the smaller the cluster that it begins: smaller ones come first.
void Extraction::add_clusters(const SteepArea& up) {
  for (auto down = ways_down_.rbegin(); down != ways_down_.rend(); ++down)
    if (const auto cluster = between(*down, up)) found_.push_back(*cluster);
}

std::vector<Cluster> Extraction::clusters() {
  double highest = 0;
  for (std::uint32_t i = 0; i < slope_.size();) {
    highest = std::max(highest, height_[i]);
    if (!slope_[i].steep) {
      ++i;
      continue;
    }
    forget_shallow(highest);
    const SteepArea area = area_from(i);
    if (slope_[i].way == Way::down)
      ways_down_.push_back(area);
    else
      add_clusters(area);
    i = area.last + 1;
    highest = height_[i];
  }
  return std::move(found_);
}

}  // namespace

XiClusters xi_clusters(const Reachability& plot, const XiSettings& settings) {
  assert(settings.xi > 0 && settings.xi < 1);
  XiClusters result{Extraction(plot, settings).clusters(), std::vector<std::uint32_t>(plot.order.size(), noise), 0};
  std::map<std::uint32_t, std::uint32_t> labelled;  // from first to last; they do not overlap
  for (const Cluster& cluster : result.clusters) {
    const auto after = labelled.upper_bound(cluster.last);
    if (after != labelled.begin() && std::prev(after)->second >= cluster.first) continue;
    labelled.emplace(cluster.first, cluster.last);
    for (std::uint32_t i = cluster.first; i <= cluster.last; ++i) result.label[plot.order[i]] = result.leaves;
    ++result.leaves;
  }
  return result;
}

}  // namespace fathom::mine
