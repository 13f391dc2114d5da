// SPDX-License-Identifier: Apache-2.0
#include "mine/footprint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::mine {
namespace {

constexpr std::size_t around = 12;               // slots before and after the burst that tell a server's background
constexpr std::size_t nearest = 3;               // of them, those that tell what it did just before or after
constexpr std::size_t rising = 3;                // slots of the burst that tell how far a server rises
constexpr double quartile_to_tenth = 0.6071;     // of a normal distribution, in standard deviations
constexpr double standing_out = 2;               // a server rises by so many standard deviations of its background at least,
constexpr double least_share = 0.3;              // by so much of the usual rise,
constexpr double least_busy = 0.18;              // or so much where somebody else's burst is on already: then both get less,
constexpr double most_share = 4;                 // and not more than this: that is somebody else's
constexpr double raised = 0.25;                  // of the usual rise above the background: somebody else's burst
constexpr double half_way = 0.4;                 // of its rise: a server below this has come down
constexpr double shortest = 0.5, longest = 2.5;  // of the burst's length: how long a server may stay up
constexpr double highest_share = 1.25;           // of its rise: what goes above is not one burst
constexpr double nearly_all = 0.99;              // of the servers; the very last may be somebody else's
constexpr double least_alone = 0.1;              // share of the servers that can speak for the others

/// The quantile of values of which none is NaN; NaN if there are none. Changes their order.
double quantile(std::span<float> values, double q) {
  if (values.empty()) return unknown_amount;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

double known_or(double value, double otherwise) { return std::isnan(value) ? otherwise : value; }

/// The known values of some slots.
class Near {
 public:
  void add(std::span<const float> slots) {
    for (const float amount : slots)
      if (!std::isnan(amount)) values_[count_++] = amount;
  }
  std::span<float> values() { return {values_.data(), count_}; }

 private:
  std::array<float, 2 * around> values_;
  std::size_t count_ = 0;
};

double median_of(std::span<const float> slots, double otherwise) {
  Near near;
  near.add(slots);
  return known_or(quantile(near.values(), 0.5), otherwise);
}

/// How much of slot `slot` lies in [start, end).
double inside(std::size_t slot, double start, double end) {
  const auto begin = static_cast<double>(slot);
  return std::max(0.0, std::min(begin + 1, end) - std::max(begin, start));
}

/// When a course that is below half of its height in slot `down` has come down: how full that slot and the one before it are tells.
double end_of(std::span<const float> course, std::size_t first, std::size_t down, double base, double rise) {
  const auto over = [&](std::size_t slot) { return slot < course.size() ? known_or(static_cast<double>(course[slot]) - base, 0) : 0; };
  const std::size_t last = down - 1;  // the last slot that is up
  const double full = last > first + 1 ? over(last - 1) : rise;
  if (full <= 0) return static_cast<double>(down);
  const double filled = last > first ? std::clamp(over(last) / full, 0.0, 1.0) : 1;
  return static_cast<double>(last) + filled + std::clamp(over(down) / full, 0.0, 1.0);
}

}  // namespace

FootprintSearch::Window FootprintSearch::window_of(const Burst& burst) const {
  const double step = static_cast<double>(matrix_.step.count());
  const double start = static_cast<double>((burst.start - matrix_.start).count()) / step,
               end = static_cast<double>((burst.end - matrix_.start).count()) / step;
  const auto first = std::clamp(static_cast<std::size_t>(std::max(start, 0.0)), first_, end_ - 1);
  const auto last = std::max(first, static_cast<std::size_t>(std::max(std::ceil(end) - 1, 0.0)));
  Window window;
  window.from = std::max(first, first_ + around) - around;
  const auto tail = static_cast<std::size_t>(static_cast<double>(last - first + 1) * (longest - 1)) + around;
  window.slots = std::min(end_, last + 1 + tail) - window.from;
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

/// How a server was just before the burst, and how far it rises with it.
FootprintSearch::Part FootprintSearch::begin_of(std::span<const float> course, const Window& window) const {
  const std::size_t just = std::min(window.first, nearest);
  Part part;
  part.before = median_of(course.subspan(window.first - just, just), 0);
  double above = 0, covered = 0;
  for (std::size_t slot = window.first; slot <= window.last && slot < window.first + rising; ++slot) {
    if (std::isnan(course[slot])) continue;
    above += static_cast<double>(course[slot]) - part.before;
    covered += inside(slot, window.start, window.end);
  }
  part.rise = covered > 0 ? above / covered : 0;
  return part;
}

/// What goes on all the time, as far as other bursts leave it to be seen, and how much it varies.
void FootprintSearch::find_ground(std::span<const float> course, const Window& window, Part& part) const {
  Near near;
  const std::size_t before = std::min(window.first, around), after = std::min(window.slots - window.last - 1, around);
  near.add(course.subspan(window.first - before, before));
  near.add(course.subspan(window.slots - after, after));
  const std::span<float> values = near.values();
  if (values.empty()) return;
  part.ground = quantile(values, 0.25);
  part.noise =
      (part.ground - quantile(values.first(values.size() / 4 + 1), 0.4)) / quartile_to_tenth;  // below the quartile: the tenth of all
}

/// Whether it takes part, how long it stays up, and what it moves.
void FootprintSearch::follow(std::span<const float> course, const Window& window, double usual, Part& part) const {
  if (part.rise < least_busy * usual || part.rise > most_share * usual) return;
  find_ground(course, window, part);
  const bool busy = part.before > part.ground + raised * usual;
  if (part.rise < std::max((busy ? least_busy : least_share) * usual, standing_out * part.noise)) return;
  const double level = busy ? part.ground + half_way * usual : part.before + half_way * part.rise;
  double highest = 0;
  part.down = window.first + 1;
  bool gap = false;  // unknown slots do not end it
  for (; part.down < window.slots && !(static_cast<double>(course[part.down]) <= level); ++part.down) {
    gap = gap || std::isnan(course[part.down]);
    highest = std::fmax(highest, static_cast<double>(course[part.down]));
  }
  const double length = window.end - window.start, own = static_cast<double>(part.down) - window.start;
  const bool too_long = own > longest * length + 2;
  if (own < shortest * length - 1 || (too_long && !busy)) return;
  const std::size_t next = std::min(part.down + 1, window.slots);
  const double later = median_of(course.subspan(next, std::min(window.slots - next, nearest)), part.ground);
  part.takes_part = true;
  part.alone = !busy && !gap && later < part.ground + raised * usual && highest < part.before + highest_share * part.rise;
  const double base = part.alone ? part.before : (part.before + later) / 2;
  part.end = end_of(course, window.first, part.down, busy ? part.ground : std::min(part.before, later), part.rise);
  for (std::size_t slot = window.first; slot < next; ++slot)
    if (!std::isnan(course[slot])) part.area += static_cast<double>(course[slot]) - base;
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

double FootprintSearch::last_end(const Window& window) const {
  std::vector<double> ends;
  for (const Part& part : parts_)
    if (part.takes_part) ends.push_back(part.end);
  if (ends.empty()) return window.end;
  const auto at = ends.begin() + static_cast<std::ptrdiff_t>(nearly_all * static_cast<double>(ends.size() - 1));
  std::nth_element(ends.begin(), at, ends.end());
  return *at;
}

/// A server that somebody else's burst disturbs cannot tell what is this burst's: it counts as the mean of those that are alone.
Footprint FootprintSearch::summed(const Burst& burst, const Window& window) const {
  Footprint found;
  double alone = 0, alone_area = 0, disturbed_area = 0;
  std::vector<double> sum(window.slots, 0);
  for (std::size_t server = 0; server < matrix_.servers; ++server) {
    const Part& part = parts_[server];
    if (!part.takes_part) continue;
    ++found.servers;
    (part.alone ? alone_area : disturbed_area) += part.area;
    if (!part.alone) continue;
    ++alone;
    const auto course = course_of(server, window);
    for (std::size_t slot = window.first; slot < std::min(part.down + 1, window.slots); ++slot)
      if (!std::isnan(course[slot])) sum[slot] += static_cast<double>(course[slot]) - part.before;
  }
  if (found.servers == 0) return found;
  found.length = std::max(last_end(window) - window.start, 0.1) * seconds(matrix_.step);
  const bool enough = alone >= least_alone * found.servers;
  const double grown = alone > 0 ? found.servers / alone : 0;
  found.area = enough ? alone_area * grown : std::clamp(alone_area + disturbed_area, 0.0, burst.area);
  for (const double each : sum) found.height = std::max(found.height, each * grown / seconds(matrix_.step));
  return found;
}

Footprint FootprintSearch::of(const Burst& burst) {
  const Window window = window_of(burst);
  gather(window);
  parts_.clear();
  for (std::size_t server = 0; server < matrix_.servers; ++server) parts_.push_back(begin_of(course_of(server, window), window));
  const double usual = usual_rise();
  if (usual <= 0) return {};
  for (std::size_t server = 0; server < matrix_.servers; ++server) follow(course_of(server, window), window, usual, parts_[server]);
  return summed(burst, window);
}

}  // namespace fathom::mine
