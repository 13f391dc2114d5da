// SPDX-License-Identifier: Apache-2.0
#include "bench/parameters.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom {
namespace {

BenchParameters with(BenchLayout layout, std::uint64_t size, bool random, std::uint64_t tasks, std::uint64_t count) {
  BenchParameters parameters;
  parameters.layout = layout;
  parameters.size = size;
  parameters.random_sizes = random;
  parameters.tasks = tasks;
  parameters.count = count;
  return parameters;
}

TEST(BenchParameters, RandomSizesAreTheSameForTheSameSeedAndFillTheRange) {
  auto parameters = with(BenchLayout::shared, 8, true, 2, 500);
  RequestSequence once(parameters, 1), again(parameters, 1), other(parameters, 0);
  std::set<std::uint64_t> seen;
  bool differs = false;
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t size = once.next();
    EXPECT_EQ(size, again.next());
    differs |= size != other.next();
    seen.insert(size);
  }
  EXPECT_TRUE(differs);
  EXPECT_EQ(seen, (std::set<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

/// The stretches of a shared file touch and do not overlap.
TEST(BenchParameters, StretchesOfASharedFileFollowEachOther) {
  for (const bool random : {false, true}) {
    const auto parameters = with(BenchLayout::shared, 1000, random, 5, 7);
    std::uint64_t end = 0;
    for (std::uint64_t task = 0; task < 5; ++task) {
      EXPECT_EQ(first_offset(parameters, task), end);
      end += bytes_of_task(parameters, task);
    }
    if (!random) {
      EXPECT_EQ(end, 5u * 7 * 1000);
    }
  }
  EXPECT_EQ(first_offset(with(BenchLayout::task_local, 1000, false, 5, 7), 4), 0u);
}

TEST(BenchParameters, NamesOfFilesAndRequests) {
  EXPECT_EQ(data_file_names(with(BenchLayout::shared, 1, false, 3, 1)), (std::vector<std::string>{"bench-shared.dat"}));
  EXPECT_EQ(data_file_names(with(BenchLayout::task_local, 1, false, 2, 1)),
            (std::vector<std::string>{"bench-000000.dat", "bench-000001.dat"}));
  EXPECT_EQ(request_text(with(BenchLayout::shared, 65536, true, 3, 1)), "random max 64Ki");
  EXPECT_EQ(request_text(with(BenchLayout::shared, 1 << 20, false, 3, 1)), "1024Ki");
  EXPECT_EQ(request_text(with(BenchLayout::shared, 1000, false, 3, 1)), "1000");
}

TEST(BenchParameters, NonsenseIsRefusedAsWrongUsage) {
  const auto layout = BenchLayout::shared;
  EXPECT_TRUE(validate(with(layout, 1, false, 1, 1)));
  EXPECT_TRUE(validate(with(layout, largest_bench_request, false, 1, most_bench_requests)));
  for (const auto& wrong : {with(layout, 0, false, 1, 1), with(layout, 1, false, 0, 1), with(layout, 1, false, 1, 0),
                            with(layout, largest_bench_request + 1, false, 1, 1), with(layout, 1, false, most_bench_tasks + 1, 1),
                            with(layout, 1, false, 2, most_bench_requests / 2 + 1), with(layout, UINT64_MAX, true, 1, UINT64_MAX)}) {
    const auto result = validate(wrong);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
  }
  auto waiting = with(layout, 1, false, 1, 1);
  waiting.pause_seconds = -1;
  EXPECT_FALSE(validate(waiting));
}

}  // namespace
}  // namespace fathom
