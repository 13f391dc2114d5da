// SPDX-License-Identifier: Apache-2.0
/// How sure it is that a pattern is its application's.
#pragma once

#include "mine/pattern.h"

namespace fathom::mine {

/// The share of true ones among patterns with as much evidence, as it was on synthetic machines: of a hundred with 0.9 some ninety are true
/// (docs/mining.md has the table). Fitted by tools/fit_confidence. Never above `most_confidence`: more was not tested.
double confidence_of(const Pattern& pattern);

inline constexpr double most_confidence = 0.9995;

}  // namespace fathom::mine
