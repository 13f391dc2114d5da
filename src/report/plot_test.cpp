// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

// Top 2, two rows of eight eighths: 2 fills both, 1 the lower one, 0.01 shows as one eighth, nothing is a shade.
TEST(BarPlot, EighthsOfBlocks) {
  const std::vector<std::optional<double>> values = {2, 1, 0.01, 0, std::nullopt};
  const auto rows = bar_plot(values, 2, 2, unicode_glyphs);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], "█    ");
  EXPECT_EQ(rows[1], "██▁ ░");
}

// The same in ASCII: one eighth is an underscore, nothing a question mark; every sign is one byte.
TEST(BarPlot, PlainCharacters) {
  const std::vector<std::optional<double>> values = {2, 1, 0.01, 0, std::nullopt};
  const auto rows = bar_plot(values, 2, 2, ascii_glyphs);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], "#    ");
  EXPECT_EQ(rows[1], "##_ ?");
}

TEST(BarPlot, AllZero) {
  const std::vector<std::optional<double>> values = {0, 0};
  EXPECT_EQ(bar_plot(values, 0, 1).front(), "  ");
}

}  // namespace
}  // namespace fathom
