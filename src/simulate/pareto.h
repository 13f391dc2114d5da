// SPDX-License-Identifier: Apache-2.0
/// Which of several offers are worth a look: those that no other beats.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace fathom::simulate {

struct Offer {
  std::optional<double> cost, slowdown;
};

/// For each offer whether no other is as good in one and better in the other. Equal ones stand together. Who lacks a number takes no part.
std::vector<bool> pareto_front(std::span<const Offer> offers);

}  // namespace fathom::simulate
