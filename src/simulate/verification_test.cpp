// SPDX-License-Identifier: Apache-2.0
#include "simulate/verification.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::simulate {
namespace {

constexpr Picoseconds s = picoseconds_per_second;

WorkIncrement reading(std::uint32_t series, Picoseconds start, std::uint64_t requests) {
  WorkIncrement each{0, start, start + 10 * s, {}, series};
  each.amounts.bytes[0] = requests * 1000;
  each.amounts.operations[0] = requests;
  return each;
}

std::array<CounterError, 4> verified(std::vector<WorkIncrement> increments, std::uint64_t buffer = 4 * MiB) {
  Architecture a;
  a.tree_bandwidth = a.disk_bandwidth = 1'000'000'000'000'000;  // 1 kB takes 1 ps
  a.external_bandwidth = 1000;
  a.ciod_buffer = buffer;
  Work work;
  work.nodes.push_back({"0", 1, {}});
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  auto found = verify(a, work);
  EXPECT_TRUE(found) << found.error().message;
  return found->errors;
}

TEST(Verification, WhatIsDoneInTimeAgrees) {
  const auto errors = verified({reading(0, 0, 9), reading(0, 10 * s, 1), reading(0, 20 * s, 0)});
  for (const CounterError& each : errors) {
    EXPECT_EQ(each.increments, 3u);
    EXPECT_EQ(each.with_error, 0u) << each.counter;
  }
  EXPECT_EQ(errors[0].average_error, 0);
  EXPECT_TRUE(std::isnan(errors[2].average_error));  // nothing was written
}

TEST(Verification, WhatIsLateCountsInTheNextIncrement) {
  // Requests of 1 kB, each 1 s and 2 ps after the last: number k is counted at k s + 2k - 1 ps, the tenth after 10 s. Of the 12 of the
  // first interval, 9 are in time; the second has 3 of them and its own 6 (real: 6); the third is empty and stays so. Errors: 3/12 and 3/6,
  // on average 37.5 %.
  const auto errors = verified({reading(0, 0, 12), reading(0, 10 * s, 6), reading(0, 20 * s, 0)});
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_EQ(errors[i].with_error, 2u);
    EXPECT_EQ(errors[i].unexpected, 0u);
    EXPECT_DOUBLE_EQ(errors[i].average_error, 0.375);
  }
}

TEST(Verification, SeriesAreApart) {
  // What series 0 does late does not count as series 1's; series 0 has an empty increment next, which gets the 3 late ones.
  const auto errors = verified({reading(0, 0, 12), reading(0, 10 * s, 0), reading(1, 10 * s, 6)});
  EXPECT_EQ(errors[1].with_error, 2u);
  EXPECT_EQ(errors[1].unexpected, 1u);
  EXPECT_DOUBLE_EQ(errors[1].average_error, 0.125);  // 3/12 and 0
}

TEST(Verification, SplitRequestsAreMoreOperations) {
  // 2 requests of 1000 bytes with buffers of 600: four pieces.
  const auto errors = verified({reading(0, 0, 2)}, 600);
  EXPECT_EQ(errors[0].with_error, 0u);
  EXPECT_EQ(errors[1].with_error, 1u);
  EXPECT_DOUBLE_EQ(errors[1].average_error, 1);
}

}  // namespace
}  // namespace fathom::simulate
