// SPDX-License-Identifier: Apache-2.0
#include "mine/frontier.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace fathom::mine {
namespace {

/// Not below zero. Two by two: a list would go through memory.
inline double most_of(double a, double b) { return std::max(0.0, std::max(a, b)); }

}  // namespace

// Subtraction, multiplication and addition round monotonically: a bound computed from corners holds for the distances between points as
// computed, to the last bit.

/// Between the nearest points of two boxes.
inline double Frontier::squared_gap(const Box& a, const Box& b) {
  const double x = most_of(a.low.x - b.high.x, b.low.x - a.high.x), y = most_of(a.low.y - b.high.y, b.low.y - a.high.y);
  return x * x + y * y;
}

/// From a box to the point of another that is farthest from it, or more.
inline double Frontier::largest_squared_gap(const Box& from, const Box& to) {
  const double x = most_of(from.low.x - to.low.x, to.high.x - from.high.x), y = most_of(from.low.y - to.low.y, to.high.y - from.high.y);
  return x * x + y * y;
}

Frontier::Frontier(const Places& places, std::span<const double> squared_core, double max_squared)
    : places_(places), max_squared_(max_squared), leaf_of_(places.size()), origins_(places.size()), taken_(places.points.size()) {
  assert(places.size() > 0);
  for (std::size_t place = 0; place < places.size(); ++place) origins_[place].left_from = places.first[place];
  std::vector<std::uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  nodes_.reserve(2 * places.size());
  build(order, 0, squared_core);
}

std::uint32_t Frontier::build(std::span<std::uint32_t> places, std::uint32_t parent, std::span<const double> squared_core) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  Node node;
  node.parent = parent;
  node.box = {places_.at[places[0]], places_.at[places[0]]};
  for (const std::uint32_t place : places) {
    const Point p = places_.at[place];
    node.box.low = {std::min(node.box.low.x, p.x), std::min(node.box.low.y, p.y)};
    node.box.high = {std::max(node.box.high.x, p.x), std::max(node.box.high.y, p.y)};
    node.squared_core = std::min(node.squared_core, squared_core[place]);
    node.lowest = std::min(node.lowest, places_.points[places_.first[place]]);
  }
  nodes_.push_back(node);
  if (places.size() == 1) {
    nodes_[at].place = places[0];
    leaf_of_[places[0]] = at;
    return at;
  }
  const bool by_x = node.box.high.x - node.box.low.x >= node.box.high.y - node.box.low.y;
  const std::size_t half = places.size() / 2;
  std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(half), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Point p = places_.at[a], q = places_.at[b];
    return by_x ? p.x < q.x : p.y < q.y;
  });
  build(places.first(half), at, squared_core);
  const std::uint32_t right = build(places.subspan(half), at, squared_core);
  nodes_[at].right = right;
  return at;
}

/// The smallest link from a box of that core distance to a point left below the node. From a box that is one place, that is a link; from
/// a larger box it is a bound.
void Frontier::search(std::uint32_t at, const Box& from, double squared_core, Link& best) const {
  const Node& node = nodes_[at];
  const auto bound = [&](const Node& to) { return Link{std::max(squared_core, squared_gap(from, to.box)), to.lowest}; };
  // All within the core distance are equally far: the lowest of them is known. A leaf has only one place.
  if (node.right == 0 || largest_squared_gap(from, node.box) <= squared_core) {
    best = std::min(best, bound(node));
    return;
  }
  std::uint32_t near = at + 1, far = node.right;
  Link near_bound = bound(nodes_[near]), far_bound = bound(nodes_[far]);
  if (far_bound < near_bound) {
    std::swap(near, far);
    std::swap(near_bound, far_bound);
  }
  if (nodes_[near].lowest != no_point && near_bound < best) search(near, from, squared_core, best);
  if (nodes_[far].lowest != no_point && far_bound < best) search(far, from, squared_core, best);
}

Frontier::Link Frontier::shortest(const Node& from) const {
  Link best{max_squared_, no_point};
  if (std::isfinite(from.squared_core) && nodes_[0].lowest != no_point) search(0, from.box, from.squared_core, best);
  return best.point == no_point ? Link{} : best;
}

void Frontier::refine_leaf(Node& leaf, Found& best) {
  if (taken(leaf.link.point)) leaf.link = shortest(leaf);
  if (leaf.link.point == no_point || leaf.link > best.link) return;
  if (leaf.link == best.link && origins_[best.place].since < origins_[leaf.place].since) return;
  best = {leaf.link, leaf.place};
}

void Frontier::refine(std::uint32_t at, Found& best) {
  Node& node = nodes_[at];
  if (node.link.point == no_point || node.link > best.link) return;
  if (node.right == 0) return refine_leaf(node, best);
  if (node.lowest == no_point && taken(node.link.point)) {
    node.link = std::max(node.link, shortest(node));
    if (node.link.point == no_point || node.link > best.link) return;
  }
  std::uint32_t near = at + 1, far = node.right;
  if (nodes_[far].link < nodes_[near].link) std::swap(near, far);
  refine(near, best);
  refine(far, best);
  node.link = std::max(node.link, std::min(nodes_[near].link, nodes_[far].link));
}

Frontier::Step Frontier::next() {
  assert(nodes_[0].lowest != no_point);
  Found best;
  refine(0, best);
  if (best.link.point == no_point) return {std::numeric_limits<double>::infinity(), nodes_[0].lowest, no_point};
  return {best.link.squared, best.link.point, origins_[best.place].point};
}

void Frontier::reach(std::uint32_t point) {
  const std::uint32_t place = places_.of_point[point];
  Origin& origin = origins_[place];
  assert(places_.points[origin.left_from] == point && !taken(point));
  taken_[point] = true;
  ++origin.left_from;
  const std::uint32_t leaf = leaf_of_[place];
  nodes_[leaf].lowest = origin.left_from < places_.first[place + 1] ? places_.points[origin.left_from] : no_point;
  for (std::uint32_t at = leaf; at != 0;) {
    at = nodes_[at].parent;
    nodes_[at].lowest = std::min(nodes_[at + 1].lowest, nodes_[nodes_[at].right].lowest);
  }
  ++reached_;
  if (origin.point != no_point) return;
  origin.point = point;
  origin.since = reached_;
  const Link link = nodes_[leaf].link = shortest(nodes_[leaf]);
  for (std::uint32_t at = leaf; at != 0;) {
    at = nodes_[at].parent;
    nodes_[at].link = std::min(nodes_[at].link, link);
  }
}

}  // namespace fathom::mine
