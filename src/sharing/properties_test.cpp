// SPDX-License-Identifier: Apache-2.0
// What must hold for any competition, on random ones with fixed seeds, and a slow integration in small steps to compare with.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "sharing/course.h"

namespace fathom::sharing {
namespace {

using Competitors = std::vector<Competitor>;

struct Made {
  Competitors competitors;
  std::vector<Capacity::Point> points;
  Capacity capacity() const { return Capacity(points); }
};

Made make(std::uint64_t seed, bool constant) {
  Random random(seed);
  Made made;
  for (auto n = random.whole(2, 12); n > 0; --n) {
    Competitor each;
    each.start = random.chance(0.3) ? 0 : random.chance(0.3) ? std::floor(random.uniform(0, 20)) : random.uniform(0, 60);
    each.work = random.chance(0.3) ? 1000 : random.lognormal(800, 1.5);
    each.writers = static_cast<std::uint64_t>(random.whole(1, 64));
    each.weight = random.chance(0.5) ? each.writers : (each.writers + 11) / 12;
    made.competitors.push_back(each);
  }
  std::uint64_t writers = 1;
  for (auto n = constant ? 1 : random.whole(2, 6); n > 0; --n, writers += static_cast<std::uint64_t>(random.whole(1, 80)))
    made.points.push_back({writers, random.uniform(20, 200)});
  return made;
}

/// Another way to the same table: every segment of it is tried.
double capacity_by_trying(const std::vector<Capacity::Point>& points, double writers) {
  if (writers <= static_cast<double>(points.front().writers)) return points.front().rate;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto a = static_cast<double>(points[i - 1].writers), b = static_cast<double>(points[i].writers);
    if (writers <= b) return (points[i - 1].rate * (b - writers) + points[i].rate * (writers - a)) / (b - a);
  }
  return points.back().rate;
}

/// Ends of all by small steps of time. Everybody's remaining work goes down by rate x step. A step in which somebody would start or end is
/// halved until it is so short (1e-12 of the first) that the event may as well be at its end: no formula for the time of an event is used.
std::vector<double> integrate(const Made& made, double step) {
  const Competitors& all = made.competitors;
  std::vector<double> left, ends(all.size(), -1);
  for (const Competitor& each : all) left.push_back(each.work);
  const auto active = [&](std::size_t i, double t) { return all[i].start <= t && ends[i] < 0; };
  double t = 0;
  for (auto open = all.size(); open > 0;) {
    double weight = 0, writers = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      weight += active(i, t) ? static_cast<double>(all[i].weight) : 0;
      writers += active(i, t) ? static_cast<double>(all[i].writers) : 0;
    }
    const double capacity = weight > 0 ? capacity_by_trying(made.points, writers) : 0;
    const auto loss = [&](std::size_t i, double h) { return capacity * static_cast<double>(all[i].weight) / weight * h; };
    const auto event_within = [&](double h) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if ((all[i].start > t && all[i].start <= t + h) || (active(i, t) && left[i] <= loss(i, h))) return true;
      return false;
    };
    double h = step;
    while (h > step * 1e-12 && event_within(h)) h /= 2;
    const double now = t;
    t += h;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!active(i, now)) continue;
      left[i] -= loss(i, h);
      if (left[i] > loss(i, step * 1e-12)) continue;
      ends[i] = t;
      --open;
    }
  }
  return ends;
}

TEST(Properties, AgreeWithSmallSteps) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Made made = make(seed, seed % 3 == 0);
    const Course course = share_out(made.competitors, made.capacity());
    const std::vector<double> slow = integrate(made, 0.25);
    for (std::size_t i = 0; i < slow.size(); ++i) {
      const double expected = slow[i] - made.competitors[i].start;
      ASSERT_NEAR(course.turns[i].length, expected, 1e-6 * expected) << "seed " << seed << ", " << i;
      worst = std::max(worst, std::abs(course.turns[i].length - expected) / expected);
    }
  }
  RecordProperty("worst_relative_difference", std::to_string(worst * 1e12) + "e-12");
}

TEST(Properties, NothingIsLostAndNothingIsIdle) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Made made = make(seed, false);
    const Course course = share_out(made.competitors, made.capacity());
    std::vector<double> rates(course.segments.size(), 0);
    double total = 0, integral = 0;
    for (std::size_t i = 0; i < made.competitors.size(); ++i) {
      double work = 0;
      for (std::size_t s = course.turns[i].first_segment; s < course.turns[i].last_segment; ++s) {
        rates[s] += course.segments[s].rate(made.competitors[i].weight);
        work += course.segments[s].rate(made.competitors[i].weight) * course.segments[s].length();
      }
      EXPECT_NEAR(work, made.competitors[i].work, 1e-9 * made.competitors[i].work) << "seed " << seed;
      total += made.competitors[i].work;
    }
    for (std::size_t s = 0; s < rates.size(); ++s) {
      EXPECT_NEAR(rates[s], course.segments[s].capacity, 1e-12 * course.segments[s].capacity) << "seed " << seed;
      EXPECT_DOUBLE_EQ(course.segments[s].capacity, capacity_by_trying(made.points, static_cast<double>(course.segments[s].writers)));
      integral += course.segments[s].capacity * course.segments[s].length();
      if (s > 0) {
        EXPECT_GE(course.segments[s].begin, course.segments[s - 1].end);
      }
    }
    EXPECT_NEAR(integral, total, 1e-11 * total) << "seed " << seed;
  }
}

TEST(Properties, MoreNeverMakesAnybodyFaster) {
  // At fixed capacity. (With a table it would be wrong: more writers may bring more bandwidth.)
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Made made = make(seed, true);
    const Course before = share_out(made.competitors, made.capacity());
    Random random(seed + 7'000'000);
    Competitors one_more = made.competitors, more_work = made.competitors;
    one_more.push_back({random.uniform(0, 60), random.lognormal(800, 1.5), static_cast<std::uint64_t>(random.whole(1, 64)), 1});
    more_work[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(more_work.size()) - 1))].work *= random.uniform(1, 5);
    for (const Competitors& changed : {one_more, more_work}) {
      const Course after = share_out(changed, made.capacity());
      for (std::size_t i = 0; i < made.competitors.size(); ++i)
        EXPECT_GE(after.turns[i].length, before.turns[i].length * (1 - 1e-12)) << "seed " << seed << ", " << i;
    }
  }
}

TEST(Properties, TheOrderOfInputDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Made made = make(seed, false);
    std::vector<std::size_t> order(made.competitors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(seed);
    for (std::size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i)))]);
    Competitors shuffled;
    for (const std::size_t i : order) shuffled.push_back(made.competitors[i]);
    const Course a = share_out(made.competitors, made.capacity()), b = share_out(shuffled, made.capacity());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(b.turns[i].length, a.turns[order[i]].length) << "seed " << seed;
    EXPECT_EQ(a.segments.size(), b.segments.size());
  }
}

TEST(Properties, BackAndForthIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Made made = make(seed, seed % 2 == 0);
    const Course course = share_out(made.competitors, made.capacity());
    std::vector<Observation> seen;
    for (std::size_t i = 0; i < made.competitors.size(); ++i)
      seen.push_back({made.competitors[i].start, made.competitors[i].start + course.turns[i].length, made.competitors[i].weight,
                      made.competitors[i].writers});
    const std::vector<double> work = work_done(observed_course(seen, made.capacity()), seen);
    // Ends are doubles up to some 1,000 s: 1e-13 s of rounding, of which a short and heavy one feels most.
    for (std::size_t i = 0; i < work.size(); ++i)
      EXPECT_NEAR(work[i], made.competitors[i].work, 1e-9 * made.competitors[i].work) << "seed " << seed;
  }
}

TEST(Properties, TenThousandApplicationsTakeNoTime) {
  // All of them overlap: n^2 / 2 pairs, which nobody lists. Their sum is known: 100 a second for all the work, from the first start without
  // a gap.
  Random random(1);
  Competitors many;
  double total = 0;
  for (int i = 0; i < 10'000; ++i) {
    many.push_back({random.uniform(0, 1000), random.lognormal(800, 1), static_cast<std::uint64_t>(random.whole(1, 1000)), 1});
    total += many.back().work;
  }
  const auto begin = std::chrono::steady_clock::now();
  const Course course = share_out(many, Capacity(100));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_NEAR(course.length(), total / 100, 1e-9 * total / 100);
  EXPECT_LT(seconds, 5);  // some milliseconds when nothing else runs; sanitizers and busy machines have their time
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
}

}  // namespace
}  // namespace fathom::sharing
