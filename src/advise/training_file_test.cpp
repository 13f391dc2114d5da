// SPDX-License-Identifier: Apache-2.0
#include "advise/training_file.h"

#include <gtest/gtest.h>

namespace fathom::advise {
namespace {

Result<std::vector<TrainingPoint>> read(std::string_view text) {
  LineInput input = LineInput::from_memory("runs.csv", text);
  return read_training_runs(input);
}

TEST(TrainingFile, WithNormalisedTimes) {
  const auto points = read("throughput,io_to_compute,normalised,band_0,band_1\n2e10,0.25,1.5,0.9,0.1\n");
  ASSERT_TRUE(points.has_value()) << points.error().message;
  ASSERT_EQ(points->size(), 1u);
  EXPECT_EQ((*points)[0].throughput, 2e10);
  EXPECT_EQ((*points)[0].io_to_compute, 0.25);
  EXPECT_EQ((*points)[0].normalised, 1.5);
  EXPECT_EQ((*points)[0].load, (std::vector<double>{0.9, 0.1}));
}

TEST(TrainingFile, WithTimesAlone) {
  const auto points = read("band_0,io_seconds,alone_seconds,throughput,io_to_compute\n1,90,60,1e9,0.1\n");
  ASSERT_TRUE(points.has_value());
  EXPECT_DOUBLE_EQ((*points)[0].normalised, 1.5);
}

TEST(TrainingFile, AgainstTheShortestOfTheSameApplication) {
  const auto points = read("application,io_seconds,throughput,io_to_compute,band_0\nA,50,1,0,1\nB,10,1,0,1\nA,100,1,0,1\nB,15,1,0,1\n");
  ASSERT_TRUE(points.has_value());
  EXPECT_DOUBLE_EQ((*points)[0].normalised, 1);
  EXPECT_DOUBLE_EQ((*points)[2].normalised, 2);
  EXPECT_DOUBLE_EQ((*points)[3].normalised, 1.5);
}

TEST(TrainingFile, SaysWhatIsWrongAndWhere) {
  const auto message = [](std::string_view text) {
    const auto points = read(text);
    return points ? std::string("taken") : points.error().message;
  };
  const std::string header = "throughput,io_to_compute,normalised,band_0,band_1\n";
  EXPECT_NE(message("").find("there are none (runs.csv)"), std::string::npos);
  EXPECT_NE(message("throughput,normalised,band_0\n").find("no column io_to_compute (runs.csv:1)"), std::string::npos);
  EXPECT_NE(message("throughput,io_to_compute,band_0\n").find("neither normalised nor io_seconds"), std::string::npos);
  EXPECT_NE(message("throughput,io_to_compute,normalised\n").find("band_0"), std::string::npos);
  EXPECT_NE(message(header + "1,1,1,0.5,0.4\n").find("add up to 0.9, not to 1 (runs.csv:2)"), std::string::npos);
  EXPECT_NE(message(header + "1,1,x,1,0\n").find("normalised is 'x'"), std::string::npos);
  EXPECT_NE(message(header + "1,1,1,1\n").find("runs.csv:2"), std::string::npos);
  EXPECT_NE(message(header + "nan,1,1,1,0\n").find("throughput"), std::string::npos);
}

}  // namespace
}  // namespace fathom::advise
