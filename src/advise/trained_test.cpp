// SPDX-License-Identifier: Apache-2.0
#include "advise/trained.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace fathom::advise {
namespace {

LoadSettings four_bands() {
  LoadSettings load;
  load.bands = {50e6, 200e6};
  return load;
}

std::vector<TrainingPoint> some_points() {
  Random random(3);
  std::vector<TrainingPoint> points;
  for (int i = 0; i < 300; ++i) {
    const double busy = random.uniform();
    points.push_back(
        {{1 - busy, busy / 2, busy / 2, 0}, random.uniform(1e9, 80e9), random.uniform(0, 1), 1 + busy * random.uniform(0.5, 1)});
  }
  return points;
}

TEST(Trained, ComesBackFromItsFileAsItWas) {
  const auto trained = train(some_points(), four_bands(), "a \"test\" with \\ and ü");
  ASSERT_TRUE(trained.has_value()) << trained.error().message;
  const std::string text = as_toml(*trained);
  const auto back = parse_trained(text, "weights.toml");
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(as_toml(*back), text);
  EXPECT_EQ(back->weights, trained->weights);
  EXPECT_EQ(back->points, 300u);
  EXPECT_EQ(back->source, trained->source);
  EXPECT_EQ(limit_of(back->thresholds.of(30e9, 0.3), 1.3).score, limit_of(trained->thresholds.of(30e9, 0.3), 1.3).score);
}

TEST(Trained, ScoreCountsNothingBelowZero) {
  Trained trained;
  trained.weights = {1, 2, 4};
  EXPECT_DOUBLE_EQ(trained.score(std::vector<double>{0.5, 0.25, 0.25}), 2);
  EXPECT_DOUBLE_EQ(trained.score(std::vector<double>{1, 0.5, -0.5}), 2);
}

TEST(Trained, RefusesWhatDoesNotFit) {
  const auto trained = train(some_points(), four_bands(), "test");
  ASSERT_TRUE(trained.has_value());
  const std::string good = as_toml(*trained);
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto result = parse_trained(text, "w.toml");
    return result ? std::string("taken") : result.error().message;
  };
  EXPECT_NE(broken("[weights]\nband = [", "[weights]\nband = [9e9, ").find("must not fall"), std::string::npos);
  EXPECT_NE(broken("[weights]\nband = [", "[weights]\nband = [0.0, ").find("5 weights for 4 bands"), std::string::npos);
  EXPECT_NE(broken("band_width", "band_widht").find("band_width"), std::string::npos);
  EXPECT_NE(broken("[[cell]]", "[[sell]]").find("w.toml:"), std::string::npos);
  EXPECT_NE(broken("peak = 200000000.0", "peak = nan").find("peak"), std::string::npos);
  EXPECT_NE(broken("peak = 200000000.0", "peak = 1e15").find("200 bands"), std::string::npos);
  EXPECT_EQ(broken("format = 1", "format = 2"), "reading weights: it has format 2, this program knows format 1 (w.toml:2)");
  EXPECT_NE(broken("format = 1", "format = \"1\"").find("format must be a whole number"), std::string::npos);
  EXPECT_EQ(broken("format = 1\n", ""), "taken");  // as files of before, which say none
  EXPECT_FALSE(parse_trained("", "w.toml").has_value());
  EXPECT_FALSE(parse_trained("[load", "w.toml").has_value());
  EXPECT_FALSE(load_trained("/nowhere/weights.toml").has_value());
  EXPECT_FALSE(train(some_points(), LoadSettings{}, "bands do not match").has_value());
}

TEST(Trained, WhatASiteBeginsWith) {
  const Trained& built_in = built_in_training();
  ASSERT_EQ(built_in.weights.size(), built_in.load.bands.count());
  EXPECT_GE(built_in.weights.front(), 1);
  EXPECT_GT(built_in.weights.back(), built_in.weights.front());
  EXPECT_FALSE(built_in.thresholds.empty());
  EXPECT_GT(built_in.points, 1000u);
}

}  // namespace
}  // namespace fathom::advise
