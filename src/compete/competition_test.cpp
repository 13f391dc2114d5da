// SPDX-License-Identifier: Apache-2.0
#include "compete/competition.h"

#include <gtest/gtest.h>

#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;

std::vector<Profile> two(std::size_t small_slices, std::size_t large_slices) {
  std::vector<Process> many;
  for (std::uint32_t p = 0; p < 3; ++p)
    many.push_back(writer("l", p, 1000, std::vector<std::uint64_t>(large_slices, 10), Counter::write_bytes, second));
  return {application("small", {writer("s", 99, 1000, std::vector<std::uint64_t>(small_slices, 10), Counter::write_bytes, second)}, second),
          application("large", many, second)};
}

double bytes_of(const ModelCourse& course) {
  double sum = 0;
  for (const auto& step : course.steps) sum += (step.end - step.begin) * step.rate;
  return sum;
}

TEST(Competition, CoursesMoveWhatWasMoved) {
  const std::vector<Profile> profiles = two(180, 120);
  const auto applications = prepare(profiles, labels(profiles), Direction::write);
  ASSERT_TRUE(applications);
  for (const bool known : {false, true}) {
    const std::vector<std::optional<Alone>> alone(2, known ? std::optional(Alone{90, {}}) : std::nullopt);
    const Competition found = compete(*applications, alone, {Direction::write, false}, Share::process, false);
    const std::vector<ModelCourse> courses = model_courses(*applications, found);
    ASSERT_EQ(courses.size(), 2u);
    EXPECT_EQ(courses[0].label, "small");
    EXPECT_NEAR(bytes_of(courses[0]), 1800, 1e-6);
    EXPECT_NEAR(bytes_of(courses[1]), 3600, 1e-6);
    // Both begin at 1000 s. While both are active the one of small is a quarter of what it has alone: 1800 bytes in 90 s.
    ASSERT_EQ(courses[0].steps.size(), 2u);
    EXPECT_NEAR(courses[0].steps[0].begin, 1000, 1e-6);
    EXPECT_NEAR(courses[0].steps[0].end, 1120, 1e-6);
    EXPECT_NEAR(courses[0].steps[0].rate, 5, 1e-9);
    EXPECT_NEAR(courses[0].steps[1].rate, 20, 1e-9);
    EXPECT_NEAR(courses[0].steps[1].end, 1180, 1e-6);
  }
}

TEST(Competition, AloneFromARun) {
  const std::vector<Profile> profiles = two(30, 20);
  const auto alone = alone_from(profiles[1], second, Direction::write);
  ASSERT_TRUE(alone);
  EXPECT_NEAR(alone->seconds, 20, 1e-9);
  EXPECT_EQ(alone->bytes, 600u);
  EXPECT_FALSE(alone_from(profiles[1], 2 * second, Direction::write));
  EXPECT_FALSE(alone_from(profiles[1], second, Direction::read));
}

TEST(Competition, WithoutIoThereAreNoCourses) {
  const std::vector<Profile> profiles = two(3, 2);
  const auto applications = prepare(profiles, labels(profiles), Direction::read);
  ASSERT_TRUE(applications);
  const std::vector<std::optional<Alone>> alone(2);
  const Competition found = compete(*applications, alone, {Direction::read, false}, std::nullopt, true);
  EXPECT_TRUE(model_courses(*applications, found).empty());
  EXPECT_EQ(found.pairs.size(), 1u);
}

}  // namespace
}  // namespace fathom::compete
