// SPDX-License-Identifier: Apache-2.0
/// An application as AID (section III) defines it, and its runs.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"

namespace fathom::mine {

/// Same user, same job name, same number of nodes: likely the same program on a similar problem.
struct ApplicationName {
  std::string user, name;
  std::uint32_t nodes = 0;
  auto operator<=>(const ApplicationName&) const = default;
};

struct Run {
  std::string job;
  Time start{}, end{};
};

struct Application {
  ApplicationName name;
  std::vector<Run> runs;  // by their start
};

}  // namespace fathom::mine
