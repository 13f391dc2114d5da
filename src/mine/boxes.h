// SPDX-License-Identifier: Apache-2.0
/// Bursts that overlap, taken apart: a burst is a box, what goes up by some rate comes down by the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

/// A box of `height` from `start` to `end`, in slots from the begin of the stretch; fractions where the filling of slots tells.
struct Box {
  double start = 0, end = 0;
  double height = 0;
  double area = 0;    // height times slots, as far as the values bear it
  bool alone = true;  // no other box at the same time
};

/// Takes `values` (over the background; the first and the last one before and after the stretch) apart. An edge counts if it is at least
/// `least[i]` there, and a tenth of the level it leaves or reaches. No edges: no boxes.
std::vector<Box> boxes_of(std::span<const double> values, std::span<const double> least);

}  // namespace fathom
