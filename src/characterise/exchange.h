// SPDX-License-Identifier: Apache-2.0
/// Several processes that share a study: who this one is, and how it tells the others what it found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

/// By default a process alone. All processes call the functions in the same order.
struct Exchange {
  int rank = 0;
  int size = 1;
  /// What every process brings, in order of ranks, to all of them.
  std::function<Result<std::vector<std::string>>(std::string mine)> all_gather = [](std::string mine) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{std::move(mine)};
  };
  /// The same, to rank 0 only.
  std::function<Result<std::vector<std::string>>(std::string mine)> gather = all_gather;

  bool first() const { return rank == 0; }
};

}  // namespace fathom
