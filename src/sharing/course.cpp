// SPDX-License-Identifier: Apache-2.0
#include "sharing/course.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <queue>

#include "sharing/segment_recorder.h"

namespace fathom::sharing {
namespace {

/// Indices in order of their start; equal starts in the order given.
template <class Claim>
std::vector<std::size_t> by_start(std::span<const Claim> claims) {
  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return claims[a].start < claims[b].start; });
  return order;
}

template <class Claim>
Course begin_course(std::span<const Claim> claims, const std::vector<std::size_t>& order) {
  Course course;
  course.origin = order.empty() ? 0 : claims[order.front()].start;
  course.turns.resize(claims.size());
  course.segments.reserve(2 * claims.size());
  return course;
}

}  // namespace

double Course::busy() const {
  return std::accumulate(segments.begin(), segments.end(), 0.0, [](double sum, const Segment& segment) { return sum + segment.length(); });
}

/// All who are active get the same for each unit of weight. `level` is what one unit of weight got so far: it grows by capacity / active
/// weight, and whoever came at level l ends at l + work / weight, however many come and go meanwhile. So the next to end is always the one
/// with the lowest such level, and nobody's remaining work has to be kept. In long double: the level of a long course, and the little that
/// a short one wants.
Course share_out(std::span<const Competitor> competitors, const Capacity& capacity) {
  const std::vector<std::size_t> order = by_start(competitors);
  Course course = begin_course(competitors, order);
  SegmentRecorder recorder(course, capacity);
  using Goal = std::pair<long double, std::size_t>;  // level of the end, who
  std::priority_queue<Goal, std::vector<Goal>, std::greater<>> goals;
  long double level = 0;
  for (auto next = order.begin(); next != order.end() || !goals.empty();) {
    const long double start = next == order.end() ? std::numeric_limits<long double>::infinity()
                                                  : static_cast<long double>(competitors[*next].start) - course.origin;
    const long double end = goals.empty() ? std::numeric_limits<long double>::infinity()
                                          : recorder.now() + (goals.top().first - level) / recorder.rate_of_weight();
    if (end <= start) {  // who ends as another starts does not meet it
      const auto [goal, who] = goals.top();
      goals.pop();
      recorder.advance(end);
      recorder.go(who, competitors[who]);
      level = goals.empty() ? 0 : std::max(level, goal);
    } else {
      if (recorder.anybody()) level += (start - recorder.now()) * recorder.rate_of_weight();
      recorder.advance(start);
      const Competitor& newcomer = competitors[*next];
      assert(newcomer.weight > 0 && newcomer.work >= 0);
      recorder.come(*next, newcomer);
      goals.emplace(level + static_cast<long double>(newcomer.work) / static_cast<long double>(newcomer.weight), *next);
      ++next;
    }
  }
  return course;
}

Course observed_course(std::span<const Observation> observations, const Capacity& capacity) {
  const std::vector<std::size_t> order = by_start(observations);
  Course course = begin_course(observations, order);
  SegmentRecorder recorder(course, capacity);
  std::vector<std::size_t> ends(order);
  std::stable_sort(ends.begin(), ends.end(), [&](std::size_t a, std::size_t b) { return observations[a].end < observations[b].end; });
  auto next = order.begin();
  const auto let_in = [&](double until) {
    for (; next != order.end() && observations[*next].start <= until; ++next) {
      recorder.advance(static_cast<long double>(observations[*next].start) - course.origin);
      recorder.come(*next, observations[*next]);
    }
  };
  for (const std::size_t who : ends) {
    let_in(observations[who].end);
    recorder.advance(static_cast<long double>(observations[who].end) - course.origin);
    recorder.go(who, observations[who]);
  }
  return course;
}

std::vector<double> work_done(const Course& course, std::span<const Observation> observations) {
  std::vector<long double> level{0};  // what one unit of weight got up to the begin of each segment
  for (const Segment& segment : course.segments)
    level.push_back(level.back() +
                    static_cast<long double>(segment.length()) * segment.capacity / static_cast<long double>(segment.weight));
  std::vector<double> work;
  for (std::size_t i = 0; i < observations.size(); ++i)
    work.push_back(static_cast<double>(static_cast<long double>(observations[i].weight) *
                                       (level[course.turns[i].last_segment] - level[course.turns[i].first_segment])));
  return work;
}

}  // namespace fathom::sharing
