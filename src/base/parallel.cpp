// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace fathom {

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

Result<void> in_parallel(std::size_t count, unsigned threads,
                         const std::function<Result<void>(unsigned thread, std::size_t number)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Result<void> outcome;
  std::size_t failed = count;
  // Numbers are given out in order: whoever fails at the smallest has begun it before anybody stops.
  const auto run = [&](unsigned thread) {
    for (std::size_t i; (i = next++) < count;) {
      auto result = work(thread, i);
      if (result) continue;
      const std::lock_guard lock(mutex);
      if (i < failed) outcome = std::move(result).error();
      failed = std::min(failed, i);
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < std::min<std::size_t>(threads, count); ++t) others.emplace_back(run, t);
  run(0);
  for (std::thread& other : others) other.join();
  return outcome;
}

}  // namespace fathom
