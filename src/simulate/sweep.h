// SPDX-License-Identifier: Apache-2.0
/// Parameters in one word of the command line (external_link.bandwidth=1Gbit/s,4Gbit/s), and all combinations of their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/component.h"

namespace fathom::simulate {

/// One parameter and the values it is to have.
struct Axis {
  std::string key;  // component.parameter
  const Parameter* parameter = nullptr;
  std::vector<std::string> words;  // as given
  std::vector<std::uint64_t> values;
};

Result<Axis> parse_axis(std::string_view text);

/// All combinations, the last axis fastest: for each axis the number of its value.
Result<std::vector<std::vector<std::size_t>>> combinations(const std::vector<Axis>& axes);

}  // namespace fathom::simulate
