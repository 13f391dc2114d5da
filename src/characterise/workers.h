// SPDX-License-Identifier: Apache-2.0
/// Several threads that take days from one list, each with a query engine of its own.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "store/database.h"

namespace fathom {

/// Calls `work` for every day; stops early at a failure and returns it. `progress` is told how many days are done.
inline Result<void> work_on_days(const std::vector<std::int32_t>& days, unsigned threads,
                                 const std::function<void(std::size_t done)>& progress,
                                 const std::function<Result<void>(Database&, unsigned thread, std::int32_t day)>& work) {
  std::vector<std::optional<Database>> databases(threads);
  std::atomic<std::size_t> done = 0;
  return in_parallel(days.size(), threads, [&](unsigned thread, std::size_t i) -> Result<void> {
    if (!databases[thread]) {
      TRY(Database opened, Database::open({.threads = 1}));
      databases[thread].emplace(std::move(opened));
    }
    TRY_VOID(work(*databases[thread], thread, days[i]));
    ++done;
    if (thread == 0) progress(done);
    return {};
  });
}

}  // namespace fathom
