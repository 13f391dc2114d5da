// SPDX-License-Identifier: Apache-2.0
#include "simulate/pareto.h"

#include <algorithm>
#include <limits>

namespace fathom::simulate {

std::vector<bool> pareto_front(std::span<const Offer> offers) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < offers.size(); ++i)
    if (offers[i].cost && offers[i].slowdown) order.push_back(i);
  const auto before = [&](std::size_t a, std::size_t b) {
    return *offers[a].cost != *offers[b].cost ? *offers[a].cost < *offers[b].cost : *offers[a].slowdown < *offers[b].slowdown;
  };
  std::sort(order.begin(), order.end(), before);
  std::vector<bool> front(offers.size());
  // From cheap to dear: one is beaten unless it is faster than all before it, or the same as the last that was.
  double fastest = std::numeric_limits<double>::infinity(), its_cost = 0;
  for (const std::size_t i : order) {
    const bool faster = *offers[i].slowdown < fastest;
    front[i] = faster || (*offers[i].slowdown == fastest && *offers[i].cost == its_cost);
    if (!faster) continue;
    fastest = *offers[i].slowdown;
    its_cost = *offers[i].cost;
  }
  return front;
}

}  // namespace fathom::simulate
