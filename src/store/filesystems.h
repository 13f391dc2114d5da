// SPDX-License-Identifier: Apache-2.0
/// File systems that a store has counters of, and what is said where another one is asked for.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace fathom {

/// An error that says which there are; the empty name stands for servers' totals.
Error no_such_filesystem(std::string_view attempt, const std::string& wanted, const std::set<std::string>& names);

/// Whether there are counters of the file system `wanted` for what `attempt` says; `which` is a condition on rows of extents, in SQL.
/// An empty name asks for none, and a store without any counters is left to whoever misses them.
Result<void> require_filesystem(const Snapshot& snapshot, std::string_view attempt, const std::string& wanted,
                                std::string_view which = "true");

}  // namespace fathom
