// SPDX-License-Identifier: Apache-2.0
/// Whether a unit moved more than a threshold in a window, without rounding.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/stretch.h"

namespace fathom {

/// True if the amounts `flow` of the lanes within [from, to) exceed threshold * (to - from) / 1 s, strictly.
bool exceeds_exactly(std::span<const Lane> lanes, std::size_t flow, std::int64_t from, std::int64_t to, std::uint64_t threshold);

}  // namespace fathom
