// SPDX-License-Identifier: Apache-2.0
#include "mine/footprint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::mine {
namespace {

constexpr std::size_t around = 12;        // slots before and after the burst that are looked at
constexpr std::size_t nearest = 3;        // of them, those that say what a server did just before
constexpr std::size_t rising = 3;         // slots of the burst that say how far a server rises
constexpr double least_share = 0.3;       // of the usual rise: what rises less is somebody else's
constexpr double most_share = 4;
constexpr double half_way = 0.4;          // a server has come down when it is below so much of its rise
constexpr double shortest = 0.5, longest = 2.5;  // of the burst's length
constexpr double standing_out = 4;        // deviations

/// The quantile of the known values, or NaN.
double quantile(std::span<float> values, double q) {
  const auto known = std::partition(values.begin(), values.end(), [](float value) { return !std::isnan(value); });
  const auto count = static_cast<std::size_t>(known - values.begin());
  if (count == 0) return unknown_amount;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(count - 1) + 0.5);
  std::nth_element(values.begin(), at, known);
  return static_cast<double>(*at);
}

/// How much of slot `slot` lies in [start, end).
double inside(std::size_t slot, double start, double end) {
  const auto begin = static_cast<double>(slot);
  return std::max(0.0, std::min(begin + 1, end) - std::max(begin, start));
}

}  // namespace

FootprintSearch::Window FootprintSearch::window_of(const Burst& burst) const {
  const double step = static_cast<double>(matrix_.step.count());
  const double start = static_cast<double>((burst.start - matrix_.start).count()) / step, end = static_cast<double>((burst.end - matrix_.start).count()) / step;
  const auto first = static_cast<std::size_t>(std::max(start, 0.0));
  const auto last = std::max(first, static_cast<std::size_t>(std::max(std::ceil(end) - 1, 0.0)));
  Window window;
  window.from = first > around ? first - around : 0;
  const auto tail = static_cast<std::size_t>(static_cast<double>(last - first + 1) * (longest - 1)) + around;
  window.slots = std::min(matrix_.slots, last + 1 + tail) - window.from;
  window.start = start - static_cast<double>(window.from);
  window.end = end - static_cast<double>(window.from);
  window.first = first - window.from;
  window.last = std::min(last - window.from, window.slots - 1);
  return window;
}

void FootprintSearch::gather(const Window& window) {
  courses_.resize(window.slots * matrix_.servers);
  for (std::size_t slot = 0; slot < window.slots; ++slot) {
    const float* row = matrix_.amounts[direction_].data() + (window.from + slot) * matrix_.servers;
    for (std::size_t server = 0; server < matrix_.servers; ++server) courses_[server * window.slots + slot] = row[server];
  }
}

FootprintSearch::Part FootprintSearch::look_at(std::span<const float> course, const Window& window) const {
  std::array<float, around> near;
  const std::size_t before = std::min(window.first, nearest);
  std::copy_n(course.begin() + static_cast<std::ptrdiff_t>(window.first - before), before, near.begin());
  Part part;
  part.base = before > 0 ? quantile({near.data(), before}, 0.5) : 0;
  if (std::isnan(part.base)) part.base = 0;
  double above = 0, covered = 0;
  for (std::size_t slot = window.first; slot <= window.last && slot < window.first + rising; ++slot) {
    if (std::isnan(course[slot])) continue;
    above += static_cast<double>(course[slot]) - part.base;
    covered += inside(slot, window.start, window.end);
  }
  part.rise = covered > 0 ? above / covered : 0;
  std::size_t slot = window.first + 1;
  while (slot < window.slots && static_cast<double>(course[slot]) > part.base + half_way * part.rise) ++slot;
  part.slots = static_cast<double>(slot) - window.start;
  return part;
}

double FootprintSearch::usual_rise() const {
  std::vector<double> rises;
  double all = 0;
  for (const Part& part : parts_)
    if (part.rise > 0) rises.push_back(part.rise), all += part.rise;
  std::sort(rises.begin(), rises.end(), std::greater<>());
  double sum = 0;
  for (const double rise : rises)
    if ((sum += rise) >= all / 2) return rise;
  return 0;
}

Footprint FootprintSearch::of(const Burst& burst) {
  const Window window = window_of(burst);
  gather(window);
  parts_.clear();
  const auto course_of = [&](std::size_t server) { return std::span<const float>(courses_).subspan(server * window.slots, window.slots); };
  for (std::size_t server = 0; server < matrix_.servers; ++server) parts_.push_back(look_at(course_of(server), window));
  const double usual = usual_rise();
  Footprint found;
  if (usual <= 0) return found;
  const double length = window.end - window.start;
  std::vector<double> sum(window.slots, 0);
  for (std::size_t server = 0; server < matrix_.servers; ++server) {
    Part& part = parts_[server];
    if (part.rise < least_share * usual || part.rise > most_share * usual) continue;
    if (part.slots < shortest * length - 1 || part.slots > longest * length + 2) continue;
    part.takes_part = true;
    ++found.servers;
    const auto course = course_of(server);
    const auto end = std::min(window.slots, window.first + static_cast<std::size_t>(part.slots) + 1);
    for (std::size_t slot = window.first; slot < end; ++slot)
      if (!std::isnan(course[slot])) sum[slot] += static_cast<double>(course[slot]) - part.base;
  }
  for (const double each : sum) {
    found.area += each;
    found.height = std::max(found.height, each / seconds(matrix_.step));
  }
  return found;
}

}  // namespace fathom::mine
