// SPDX-License-Identifier: Apache-2.0
/// Parameters in one word of the command line (external_link.bandwidth=1Gbit/s,4Gbit/s, or shorter external_bandwidth=...), and all
/// combinations of their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/component.h"

namespace fathom::simulate {

/// One parameter and the values it is to have.
struct Axis {
  std::string key;  // as given: component.parameter, or its short name
  const Parameter* parameter = nullptr;
  std::vector<std::string> words;  // as given
  std::vector<std::uint64_t> values;
};

/// One parameter and its value.
struct Setting {
  const Parameter* parameter = nullptr;
  std::uint64_t value = 0;
};

/// external_link.bandwidth or its short name, and 1Gbit/s.
Result<Setting> parse_setting(std::string_view key, std::string_view word);

Result<Axis> parse_axis(std::string_view text);

/// All combinations, the last axis fastest: for each axis the number of its value.
Result<std::vector<std::vector<std::size_t>>> combinations(const std::vector<Axis>& axes);

struct Sweep {
  Architecture base;  // of which the axes change something
  std::vector<Axis> axes;
  std::vector<std::vector<std::size_t>> combinations;

  Architecture architecture(std::size_t combination) const;
};

/// Refuses combinations that no machine can have, before any of them runs.
Result<Sweep> plan_sweep(const Architecture& base, const std::vector<std::string>& words);

}  // namespace fathom::simulate
