// SPDX-License-Identifier: Apache-2.0
/// Which point OPTICS reaches next, and from where: the smallest reachability from all points reached so far to all that are left.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mine/places.h"

namespace fathom::mine {

/// OPTICS as it is usually written keeps a list of seeds and, for each point it reaches, looks at all points within max_eps: quadratic
/// when most points are near each other, which bursts of one application are. But a point's reachability is only asked for when the point
/// is reached: then it is the smallest of max(core distance of p, distance from p) over all p reached before. So this does what Bentley and
/// Friedman (1978) do for spanning trees: every place reached knows its best link to a point that is left, and looks for another one only
/// when that is taken and the link is still among the best. A k-d tree over all places holds, for each of its boxes, the lowest point left
/// (to search) and a lower bound of the links that begin there (to find the best). A box with nothing left inside gets its bound from the
/// distance of the whole box, so that the inside of a finished cluster costs nothing.
///
/// Of equal reachabilities the lowest point wins, then the origin that was reached first, as with scikit-learn.
class Frontier {
 public:
  /// The squares of core distances, by place, infinite for places that are not core; links longer than the root of max_squared do not
  /// exist.
  Frontier(const Places& places, std::span<const double> squared_core, double max_squared);

  struct Step {
    double squared = std::numeric_limits<double>::infinity();  // infinite where nothing leads to the point
    std::uint32_t point = no_point, origin = no_point;
  };
  /// The point to reach next; there must be one left. Nothing changes until `reach`.
  Step next();
  /// The lowest point left of its place, as `next` says.
  void reach(std::uint32_t point);

 private:
  struct Link {
    double squared = std::numeric_limits<double>::infinity();
    std::uint32_t point = no_point;
    bool operator==(const Link&) const = default;
    bool operator<(const Link& other) const { return squared < other.squared || (squared == other.squared && point < other.point); }
    bool operator>(const Link& other) const { return other < *this; }
  };
  struct Box {
    Point low, high;
  };
  struct Node {
    Box box;
    double squared_core = std::numeric_limits<double>::infinity();  // the smallest in the box
    Link link;                                                      // no link that begins in the box is smaller
    std::uint32_t lowest = no_point;                                // of the points left in the box
    std::uint32_t right = 0;                                        // 0: a leaf; the left child is the next node
    std::uint32_t parent = 0;
    std::uint32_t place = 0;  // of a leaf
  };
  struct Origin {
    std::uint32_t point = no_point, since = 0;
    std::uint32_t left_from = 0;  // in Places::points
  };
  struct Found {
    Link link;
    std::uint32_t place = 0;
  };

  static double squared_gap(const Box& a, const Box& b);
  static double largest_squared_gap(const Box& from, const Box& to);
  std::uint32_t build(std::span<std::uint32_t> places, std::uint32_t parent, std::span<const double> squared_core);
  void search(std::uint32_t node, const Box& from, double squared_core, Link& best) const;
  Link shortest(const Node& from) const;
  void refine(std::uint32_t node, Found& best);
  void refine_leaf(Node& leaf, Found& best);
  bool taken(std::uint32_t point) const { return taken_[point]; }

  const Places& places_;
  double max_squared_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaf_of_;  // by place
  std::vector<Origin> origins_;         // by place
  std::vector<char> taken_;             // by point
  std::uint32_t reached_ = 0;
};

}  // namespace fathom::mine
