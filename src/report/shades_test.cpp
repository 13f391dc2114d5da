// SPDX-License-Identifier: Apache-2.0
#include "report/shades.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Shades, NothingZeroLittleAndMost) {
  // Eight shades above zero: 0.5 x 8 = 4, the fifth of them.
  const auto lines = shade_plot({{std::nullopt, 0.0, 1e-9, 0.5, 0.999, 1.0, 7.0}}, Shading::ascii);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], " .:*@@@");
  EXPECT_EQ(shade_scale(Shading::ascii), ".:-=+*%#@");
}

TEST(Shades, TwoRowsInALineOfColour) {
  const auto lines = shade_plot({{0.0, 1.0}, {1.0, std::nullopt}, {std::nullopt, 1.0}}, Shading::colours);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "\x1b[38;5;240m\x1b[48;5;228m▀\x1b[38;5;228m\x1b[49m▀\x1b[0m");
  EXPECT_EQ(lines[1], "\x1b[49m \x1b[38;5;228m▀\x1b[0m");
}

TEST(Shades, WhatIsNotThereKeepsTheBackground) {
  const auto lines = shade_plot({{std::nullopt}, {1.0}}, Shading::colours);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "\x1b[38;5;228m\x1b[49m▄\x1b[0m");
}

}  // namespace
}  // namespace fathom
