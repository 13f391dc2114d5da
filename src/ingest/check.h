// SPDX-License-Identifier: Apache-2.0
/// Is a store what its manifest says, and does it make sense?
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/store.h"

namespace fathom {

struct CheckReport {
  std::vector<std::string> problems;  // the first twenty
  std::vector<std::string> remarks;   // harmless: files of an interrupted change
  std::uint64_t problem_count = 0;
  std::uint64_t segments = 0, increments = 0;
};

/// `progress` is told the bytes of segments that were gone through; those of counters are twice.
Result<CheckReport> check_store(
    const Store& store, const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = [](std::uint64_t, std::uint64_t) {});

}  // namespace fathom
