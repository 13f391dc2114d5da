// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Interrupt, RemembersTheFirstOneOnly) {
  {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.asked());
    std::raise(SIGINT);
    EXPECT_TRUE(interrupt.asked());
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << "a second one ends the program";
  }
  EXPECT_FALSE(Interrupt().asked()) << "what was asked of one is not asked of the next";
}

TEST(Interrupt, WhoIgnoresItGoesOnIgnoringIt) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  {
    const Interrupt interrupt;
    std::raise(SIGINT);
    EXPECT_FALSE(interrupt.asked());
  }
  std::signal(SIGINT, before);
}

}  // namespace
}  // namespace fathom
