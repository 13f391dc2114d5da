// SPDX-License-Identifier: Apache-2.0
/// Whether each process or each node got the same share: which of the two explains better what applications got while all of them were
/// active.
#pragma once

#include <optional>

#include "compete/overlap.h"

namespace fathom::compete {

enum class Share : std::uint8_t { process, node };
inline constexpr std::array<std::string_view, 2> share_names = {"process", "node"};

/// Of each application, as a part of 1.
using Shares = std::vector<double>;

struct Fairness {
  Shares observed;                   // of the bytes of the active overlap
  std::array<Shares, 2> expected;    // by Share
  std::array<double, 2> distance{};  // sum over applications of |observed - expected|; 0 to 2
  std::optional<Share> nearer;       // nothing: it cannot be told
  std::string why;                   // if so
  std::int64_t slices = 0;           // of the active overlap in which it is nearer too
};

/// What an application weighs: its movers, or its nodes. A node with movers of several applications is divided among them by their number.
std::vector<double> weights(std::span<const Application> applications, Share share);
Shares shares_of(std::span<const double> weights);

Fairness fairness(std::span<const Application> applications, Direction direction, const ActiveOverlap& overlap);

}  // namespace fathom::compete
