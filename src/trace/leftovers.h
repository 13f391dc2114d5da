// SPDX-License-Identifier: Apache-2.0
/// What traced processes leave in memory files when they end without saying so: moved into the trace.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace fathom::trace {

struct Leftovers {
  std::uint64_t processes = 0;  // whose files were taken
  std::uint64_t records = 0;    // that nobody had written out
  std::uint64_t killed = 0;     // processes that did not end well
  std::uint64_t alive = 0;      // processes that still run: their files stay
};

/// Takes the memory files of processes that are no more out of `memory` and adds what is in them to the trace. Several may do it at once.
Result<Leftovers> collect_leftovers(const std::filesystem::path& memory, const std::filesystem::path& trace);

}  // namespace fathom::trace
