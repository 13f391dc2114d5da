// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace fathom {
namespace {

TEST(InParallel, EveryNumberOnce) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> times(100);
    std::atomic<bool> strange = false;
    EXPECT_TRUE(in_parallel(times.size(), threads, [&](unsigned thread, std::size_t i) -> Result<void> {
      ++times[i];
      if (thread >= threads) strange = true;
      return {};
    }));
    for (const auto& each : times) EXPECT_EQ(each, 1);
    EXPECT_FALSE(strange);
  }
  EXPECT_TRUE(in_parallel(0, 3, [](unsigned, std::size_t) -> Result<void> { return Error{ErrorKind::busy, "never"}; }));
}

/// 17 and everything above it fails: the message is that of 17, whoever comes first.
TEST(InParallel, TheSmallestFailureIsTold) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    const auto outcome = in_parallel(1000, threads, [](unsigned, std::size_t i) -> Result<void> {
      if (i < 17) return {};
      return Error{ErrorKind::damaged, std::to_string(i)};
    });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, "17");
  }
}

}  // namespace
}  // namespace fathom
