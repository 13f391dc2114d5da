// SPDX-License-Identifier: Apache-2.0
/// Several threads that take numbers from one list.
#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"

namespace fathom {

/// As many as there are cores, at least one.
unsigned cores();

/// Calls `work` for every number below `count`, in any order. Stops early at a failure, and returns that of the smallest number: which it
/// is does not depend on the threads.
Result<void> in_parallel(std::size_t count, unsigned threads, const std::function<Result<void>(unsigned thread, std::size_t number)>& work);

}  // namespace fathom
