// SPDX-License-Identifier: Apache-2.0
/// Several threads that take days from one list, each with a query engine of its own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/database.h"

namespace fathom {

/// Calls `work` for every day; stops early at the first failure and returns it. `progress` is told how many days are done.
inline Result<void> work_on_days(const std::vector<std::int32_t>& days, unsigned threads, const std::function<void(std::size_t done)>& progress,
                                 const std::function<Result<void>(Database&, unsigned thread, std::int32_t day)>& work) {
  std::atomic<std::size_t> next = 0, done = 0;
  std::mutex mutex;
  Result<void> outcome;
  const auto fail = [&](Error error) {
    const std::lock_guard lock(mutex);
    if (outcome) outcome = std::move(error);
    next = days.size();
  };
  const auto run = [&](unsigned thread) {
    auto database = Database::open({.threads = 1});
    if (!database) return fail(std::move(database).error());
    for (std::size_t i; (i = next++) < days.size();) {
      if (auto result = work(*database, thread, days[i]); !result) return fail(std::move(result).error());
      ++done;
      if (thread == 0) progress(done);
    }
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(run, t);
  run(0);
  for (std::thread& other : others) other.join();
  return outcome;
}

}  // namespace fathom
