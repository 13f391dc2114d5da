// SPDX-License-Identifier: Apache-2.0
/// What was done to each file, at the layer nearest to the file system.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/trace.h"

namespace fathom::trace {

struct FileTotals {
  std::uint64_t units = 0;  // that used it
  std::uint64_t calls = 0, opens = 0, read_calls = 0, write_calls = 0, lock_calls = 0;
  std::uint64_t read_bytes = 0, write_bytes = 0;
  std::int64_t first = INT64_MAX, last = INT64_MIN;  // start of the first call, end of the last; ns since the epoch
};

/// One for each of Trace::files. Launchers are left out. `progress` is told how many events were seen.
Result<std::vector<FileTotals>> file_totals(
    const Trace& trace, const std::function<void(std::uint64_t)>& progress = [](std::uint64_t) {});

}  // namespace fathom::trace
