// SPDX-License-Identifier: Apache-2.0
#include "simulate/requests.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "simulate/architecture.h"

namespace fathom::simulate {
namespace {

std::string listed(const RequestSequence& requests) {
  std::string text;
  for (std::uint64_t i = 0; i < requests.size(); ++i)
    text += (requests[i].kind == Kind::read ? " r" : " w") + std::to_string(requests[i].bytes);
  return text;
}

TEST(Requests, AverageSizesAndTheRemainder) {
  EXPECT_EQ(listed({{{10, 0}, {4, 0}}, 100}), " r3 r3 r2 r2");  // 10 = 4 x 2 + 2: the first two have one more
  EXPECT_EQ(listed({{{0, 3}, {0, 3}}, 100}), " w1 w1 w1");
  EXPECT_EQ(listed({{{2, 0}, {4, 0}}, 100}), " r1 r1 r0 r0");
}

TEST(Requests, ReadsAndWritesInProportion) {
  EXPECT_EQ(listed({{{3, 3}, {3, 3}}, 100}), " r1 w1 r1 w1 r1 w1");
  // Reads at floor(j x 8 / 2) = 0 and 4.
  EXPECT_EQ(listed({{{2, 12}, {2, 6}}, 100}), " r1 w2 w2 w2 r1 w2 w2 w2");
}

TEST(Requests, WithoutOperationsAsManyAsFillBuffers) {
  EXPECT_EQ(listed({{{9, 0}, {0, 0}}, 4}), " r3 r3 r3");
  EXPECT_EQ(RequestSequence({{4 * MiB + 1, 0}, {0, 0}}, 4 * MiB).size(), 2u);
  EXPECT_EQ(RequestSequence({{0, 0}, {0, 0}}, 4 * MiB).size(), 0u);
}

TEST(Requests, OperationsWithoutBytesHaveNoSize) { EXPECT_EQ(listed({{{0, 0}, {2, 0}}, 4}), " r0 r0"); }

TEST(Requests, LargerThanABufferAreSplit) {
  EXPECT_EQ(listed({{{0, 10}, {0, 1}}, 4}), " w4 w4 w2");
  EXPECT_EQ(listed({{{0, 9}, {0, 2}}, 4}), " w4 w1 w4");  // 5 and 4
}

TEST(Requests, TooManyAreSeen) {
  EXPECT_GT(RequestSequence({{0, UINT64_MAX}, {0, 0}}, 1).size(), most_requests);
  EXPECT_GT(RequestSequence({{0, 0}, {UINT64_MAX, 0}}, 1).size(), most_requests);
}

TEST(Requests, SumsAreKept) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    Amounts amounts;
    for (std::size_t i = 0; i < 2; ++i) {
      amounts.bytes[i] = static_cast<std::uint64_t>(random.whole(0, 500));
      amounts.operations[i] = static_cast<std::uint64_t>(random.whole(0, 20));
    }
    const auto buffer = static_cast<std::uint64_t>(random.whole(1, 60));
    const RequestSequence requests(amounts, buffer);
    Amounts found;
    for (std::uint64_t i = 0; i < requests.size(); ++i) {
      const Request each = requests[i];
      ASSERT_LE(each.bytes, buffer);
      found.bytes[static_cast<std::size_t>(each.kind)] += each.bytes;
      ++found.operations[static_cast<std::size_t>(each.kind)];
    }
    EXPECT_EQ(found.bytes, amounts.bytes);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_GE(found.operations[i], amounts.operations[i]);
  }
}

}  // namespace
}  // namespace fathom::simulate
