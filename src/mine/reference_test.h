// SPDX-License-Identifier: Apache-2.0
/// OPTICS as the paper and scikit-learn say it, in quadratic time: what the fast one is compared with.
#pragma once

#include <span>

#include "mine/optics.h"

namespace fathom::mine {

Reachability reference_optics(std::span<const Point> points, const OpticsSettings& settings);

}  // namespace fathom::mine
