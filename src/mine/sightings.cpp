// SPDX-License-Identifier: Apache-2.0
#include "mine/sightings.h"

#include <algorithm>

namespace fathom::mine {
namespace {

constexpr double least_score = 0.5;   // nats; how often as much is shown by chance is measured, not assumed (see outside.h)
constexpr double sure_score = 3;      // so long a chain needs one typical burst only
constexpr double most_foreign = 0.5;  // bursts per period

}  // namespace

Sighting Lookout::look(double from, double to, double period, double spread, double usual_length, const BurstRegion& region) {
  const auto [first, last] = log_.within(from, to);
  chosen_.clear();
  for (std::uint32_t i = first; i < last; ++i)
    if (region.holds(log_.log().bursts[i])) chosen_.push_back(i);
  return look_at(chosen_, from, to, period, spread, usual_length, &region);
}

Sighting Lookout::look_at(std::span<const std::uint32_t> bursts, double from, double to, double period, double spread, double usual_length,
                          const BurstRegion* region) {
  Sighting sighting;
  if (bursts.size() < settings_.least_bursts) return sighting;
  times_.clear();
  delays_.clear();
  for (const std::uint32_t burst : bursts) {
    times_.push_back(log_.start(burst));
    delays_.push_back(std::clamp(log_.length(burst) - usual_length, -0.5 * period, 0.5 * period));
  }
  sighting.score = linker_.link(times_, {period, spread, log_.step(), most_foreign}, delays_);
  if (sighting.score <= 0) return sighting;
  const Chain chain = linker_.chain();
  sighting.intervals = chain.numbers.back();
  for (const std::uint32_t event : chain.events) sighting.bursts.push_back(bursts[event]);
  sighting.shown = shows(chain, times_, from, to);
  if (!region) return sighting;
  const auto typical = [&](std::uint32_t burst) { return region->typical(log_.log().bursts[burst]); };
  sighting.alike = static_cast<std::size_t>(std::count_if(bursts.begin(), bursts.end(), typical));
  sighting.typical = static_cast<std::size_t>(std::count_if(sighting.bursts.begin(), sighting.bursts.end(), typical));
  const bool sure = sighting.typical >= settings_.least_typical || (sighting.typical > 0 && sighting.score >= sure_score);
  sighting.shown = sighting.shown && sure;
  return sighting;
}

void Lookout::add_steps(std::span<const double> times, double from, double to, double period, double spread, std::vector<Step>& steps) {
  if (times.size() < settings_.least_bursts || linker_.link(times, {period, spread, log_.step(), most_foreign}) <= 0) return;
  const Chain chain = linker_.chain();
  if (!shows(chain, times, from, to)) return;
  for (std::size_t i = 1; i < chain.events.size(); ++i)
    steps.push_back({times[chain.events[i]] - times[chain.events[i - 1]], static_cast<double>(chain.numbers[i] - chain.numbers[i - 1])});
}

bool Lookout::shows(const Chain& chain, std::span<const double> times, double from, double to) const {
  const double length = times[chain.events.back()] - times[chain.events.front()];
  return chain.events.size() >= settings_.least_bursts && chain.score >= least_score &&
         static_cast<double>(chain.events.size()) >= settings_.seen * static_cast<double>(chain.numbers.back() + 1) &&
         length + chain.period >= settings_.spanning * log_.seen(from, to);
}

}  // namespace fathom::mine
