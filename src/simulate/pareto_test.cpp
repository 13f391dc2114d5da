// SPDX-License-Identifier: Apache-2.0
#include "simulate/pareto.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace fathom::simulate {
namespace {

using Front = std::vector<bool>;

Front front(const std::vector<Offer>& offers) { return pareto_front(offers); }

TEST(Pareto, CheaperOrFaster) {
  // The third is dearer than the first and no faster, the fourth as dear as the second and slower.
  EXPECT_EQ(front({{1, 3}, {2, 2}, {3, 3}, {2, 2.5}, {4, 1}}), (Front{true, true, false, false, true}));
  EXPECT_EQ(front({}), Front{});
  EXPECT_EQ(front({{5, 5}}), Front{true});
}

TEST(Pareto, Ties) {
  EXPECT_EQ(front({{1, 1}, {1, 1}, {2, 2}}), (Front{true, true, false})) << "equal ones stand together";
  EXPECT_EQ(front({{1, 2}, {1, 1}}), (Front{false, true})) << "as cheap, and faster";
  EXPECT_EQ(front({{2, 1}, {1, 1}}), (Front{false, true})) << "as fast, and cheaper";
}

TEST(Pareto, WhatIsNotKnownBeatsNobody) { EXPECT_EQ(front({{std::nullopt, 1}, {2, 2}, {1, std::nullopt}}), (Front{false, true, false})); }

/// Against the definition, with many ties.
TEST(Pareto, AgreesWithItsDefinition) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Offer> offers;
    for (std::uint64_t i = random.next() % 12; i > 0; --i)
      offers.push_back({static_cast<double>(random.next() % 5), static_cast<double>(random.next() % 5)});
    Front wanted;
    for (const Offer& a : offers) {
      bool beaten = false;
      for (const Offer& b : offers)
        beaten |= *b.cost <= *a.cost && *b.slowdown <= *a.slowdown && (*b.cost < *a.cost || *b.slowdown < *a.slowdown);
      wanted.push_back(!beaten);
    }
    ASSERT_EQ(front(offers), wanted);
  }
}

}  // namespace
}  // namespace fathom::simulate
