// SPDX-License-Identifier: Apache-2.0
/// What a reader of a comparison must know before its numbers are believed.
#pragma once

#include "compete/comparison.h"

namespace fathom::compete {

std::vector<std::string> notices(std::span<const Application> applications, const Options& options, const Comparison& comparison);

}  // namespace fathom::compete
