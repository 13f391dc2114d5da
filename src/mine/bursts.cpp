// SPDX-License-Identifier: Apache-2.0
#include "mine/bursts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "mine/boxes.h"
#include "mine/haar.h"

namespace fathom {
namespace {

constexpr double most_bytes = 1e21;  // of one slot; a thousand exabytes are a broken counter
constexpr std::size_t wavelet_levels = 5;
constexpr std::size_t least_window = 64;
constexpr double weak_level = 1;
constexpr std::size_t weak_slots = 4;

Result<void> check(const TrafficSeries& series) {
  if (series.step.count() <= 0) return Error{ErrorKind::usage, "looking for bursts: the series has no step"};
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double amount = series.amounts[i];
    if (std::isnan(amount) || (amount >= 0 && amount <= most_bytes)) continue;
    return Error{ErrorKind::malformed, fmt::format("looking for bursts: slot {} at {} holds {:g} bytes: amounts must be from 0 to {:g}", i,
                                                   format_iso8601(series.begin_of(i)), amount, most_bytes)};
  }
  return {};
}

/// How far each slot stands above its background, in standard deviations; 0 where nothing is known.
std::vector<double> standing_out(const TrafficSeries& series, const Background& ground) {
  double largest = 0;
  for (const double amount : series.amounts)
    if (amount > largest) largest = amount;
  const double least_noise = largest * 1e-9;  // of a perfectly even background: rounding, not traffic
  std::vector<double> out(series.size(), 0);
  for (std::size_t i = 0; i < series.size(); ++i)
    if (series.known(i) && largest > 0)
      out[i] = (series.amounts[i] - ground.level[i]) / std::max({ground.noise[i], least_noise, 1e-12 * ground.level[i]});
  return out;
}

/// What is left when noise goes, stretch by stretch of measured slots, in standard deviations of a slot.
std::vector<double> without_noise(const TrafficSeries& series, const std::vector<double>& out) {
  std::vector<double> clean(series.size(), 0);
  for (std::size_t begin = 0; begin < series.size();) {
    std::size_t end = begin;
    while (end < series.size() && series.known(end)) ++end;
    if (end - begin >= least_window) {
      const double universal = std::sqrt(2 * std::log(static_cast<double>(end - begin)));
      const std::vector<double> smooth = denoised(std::span(out).subspan(begin, end - begin), wavelet_levels, universal);
      std::copy(smooth.begin(), smooth.end(), clean.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    begin = std::max(end, begin + 1);
  }
  return clean;
}

/// From the filling of the outer slots: a burst that fills its inner slots evenly began so late in the first one that it holds less.
void place_edges(const TrafficSeries& series, const std::vector<double>& excess, Burst& burst) {
  const std::size_t count = burst.last_slot - burst.first_slot + 1;
  std::vector<double> inner(excess.begin() + static_cast<std::ptrdiff_t>(burst.first_slot),
                            excess.begin() + static_cast<std::ptrdiff_t>(burst.last_slot + 1));
  double plateau = *std::max_element(inner.begin(), inner.end());
  const auto filled = [&](std::size_t slot, double full) {
    const double share = full > 0 ? std::clamp(excess[slot] / full, 0.0, 1.0) : 1;
    return Duration{static_cast<std::int64_t>(share * static_cast<double>(series.step.count()))};
  };
  burst.start = series.begin_of(burst.first_slot);
  burst.end = series.begin_of(burst.last_slot + 1);
  if (count == 1) return;  // somewhere in the slot
  const double next = count > 2 ? excess[burst.first_slot + 1] : plateau;
  const double before = count > 2 ? excess[burst.last_slot - 1] : plateau;
  burst.start = series.begin_of(burst.first_slot + 1) - filled(burst.first_slot, next);
  burst.end = series.begin_of(burst.last_slot) + filled(burst.last_slot, before);
}

Burst measured(const TrafficSeries& series, const Background& ground, const std::vector<double>& excess, std::size_t first,
               std::size_t last) {
  Burst burst{.first_slot = first, .last_slot = last};
  const double length = seconds(series.step);
  for (std::size_t i = first; i <= last; ++i) {
    burst.area += excess[i];
    if (i > first && excess[i] / length <= burst.height) continue;
    burst.height = excess[i] / length;
    burst.background = ground.level[i] / length;
  }
  place_edges(series, excess, burst);
  return burst;
}

/// A box of boxes_of, whose slot 0 is the one before `first`.
Burst boxed(const TrafficSeries& series, const Background& ground, const Box& box, std::size_t first) {
  const double length = seconds(series.step);
  const auto moment = [&](double slot) {
    return series.begin_of(first) + Duration{static_cast<std::int64_t>((slot - 1) * static_cast<double>(series.step.count()))};
  };
  Burst burst;
  burst.start = moment(box.start);
  burst.end = moment(box.end);
  burst.first_slot = first + static_cast<std::size_t>(std::max(box.start - 1, 0.0));
  burst.last_slot =
      std::max(burst.first_slot, std::min(first + static_cast<std::size_t>(std::max(std::ceil(box.end) - 2, 0.0)), series.size() - 1));
  burst.height = box.height / length;
  burst.area = box.area;
  burst.background = ground.level[burst.first_slot] / length;
  return burst;
}

}  // namespace

std::size_t window_slots(const TrafficSeries& series, const BurstOptions& options) {
  const double slots = options.window / seconds(series.step);
  return std::max(least_window, static_cast<std::size_t>(std::min(slots, 1e9)));
}

namespace {

/// The course of one search.
class Search {
 public:
  Search(const TrafficSeries& series, const BurstOptions& options)
      : series_(series),
        options_(options),
        ground_(background(series, window_slots(series, options))),
        out_(standing_out(series, ground_)),
        excess_(series.size(), 0) {
    for (std::size_t i = 0; i < series.size(); ++i)
      if (series.known(i)) excess_[i] = series.amounts[i] - ground_.level[i];
  }

  std::vector<Burst> all() {
    strong();
    if (options_.weak) weak();
    std::sort(bursts_.begin(), bursts_.end(),
              [](const Burst& a, const Burst& b) { return a.start != b.start ? a.start < b.start : a.end < b.end; });
    return std::move(bursts_);
  }

 private:
  /// Runs of measured slots of at least `level` whose highest has at least `peak`.
  template <class Take>
  void for_each_run(const std::vector<double>& values, double level, double peak, Take take) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      if (!series_.known(i) || values[i] < level) continue;
      std::size_t last = i;
      double most = values[i];
      while (last + 1 < series_.size() && series_.known(last + 1) && values[last + 1] >= level) most = std::max(most, values[++last]);
      if (most >= peak) take(i, last);
      i = last;
    }
  }

  /// What a single slot shows.
  void strong() {
    for_each_run(out_, options_.edge, options_.significance, [this](std::size_t first, std::size_t last) {
      // The slots in which it began and ended may hold too little to stand out by themselves.
      if (first > 0 && series_.known(first - 1) && out_[first - 1] > 1) --first;
      if (last + 1 < series_.size() && series_.known(last + 1) && out_[last + 1] > 1) ++last;
      take(first, last);
    });
  }

  /// What only many slots together show: found in the rest by the wavelet transform.
  void weak() {
    std::vector<double> rest = out_;
    for (const Burst& burst : bursts_)
      for (std::size_t i = burst.first_slot > 0 ? burst.first_slot - 1 : 0; i < std::min(burst.last_slot + 2, rest.size()); ++i)
        rest[i] = 0;
    for_each_run(without_noise(series_, rest), weak_level, weak_level, [this](std::size_t first, std::size_t last) {
      if (last - first + 1 >= weak_slots) one(first, last);
    });
  }

  void take(std::size_t first, std::size_t last) {
    std::vector<double> values, least;
    for (std::size_t k = first; k <= last + 2; ++k) {
      const bool there = k > 0 && k - 1 < series_.size() && series_.known(k - 1);
      values.push_back(there ? excess_[k - 1] : 0);
      least.push_back(options_.significance * (there ? ground_.noise[k - 1] : ground_.noise[first]));
    }
    const std::vector<Box> boxes = options_.boxes ? boxes_of(values, least) : std::vector<Box>{};
    for (const Box& box : boxes) bursts_.push_back(boxed(series_, ground_, box, first));
    if (boxes.empty()) one(first, last);
  }

  void one(std::size_t first, std::size_t last) {
    const Burst burst = measured(series_, ground_, excess_, first, last);
    if (burst.area > 0) bursts_.push_back(burst);
  }

  const TrafficSeries& series_;
  const BurstOptions& options_;
  Background ground_;
  std::vector<double> out_;     // over the background, in standard deviations
  std::vector<double> excess_;  // over the background, in bytes
  std::vector<Burst> bursts_;
};

}  // namespace

Result<std::vector<Burst>> find_bursts(const TrafficSeries& series, const BurstOptions& options) {
  TRY_VOID(check(series));
  return Search(series, options).all();
}

}  // namespace fathom
