// SPDX-License-Identifier: Apache-2.0
/// Denoising by the undecimated Haar transform: boxes stay boxes wherever they begin, noise goes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

/// `values` (no NaN among them) with all details below `threshold` times their level's own noise set to zero. That noise is taken from the
/// median of the absolute details of each level (0.6745 standard deviations): traffic is not white, its noise has a size of its own at
/// every scale (Johnstone and Silverman 1997). O(n) per level.
std::vector<double> denoised(std::span<const double> values, std::size_t levels, double threshold);

}  // namespace fathom
