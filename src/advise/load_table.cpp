// SPDX-License-Identifier: Apache-2.0
#include "advise/load_table.h"

#include <fmt/format.h>

#include <cassert>
#include <numeric>

namespace fathom::advise {
namespace {

constexpr std::uint8_t nothing = 255;
static_assert(most_bands < nothing);
constexpr double most_throughput = 1e15;  // sums of 65,535 of them fit

}  // namespace

Result<LoadTable> LoadTable::make(std::size_t servers, const LoadSettings& settings) {
  const auto wrong = [](std::string what) { return Error{ErrorKind::usage, "setting up the load table: " + std::move(what)}; };
  if (!(settings.bands.width > 0) || !(settings.bands.peak > 0)) return wrong("bands need a width and a peak above 0");
  if (settings.bands.peak / settings.bands.width > static_cast<double>(most_bands))
    return wrong(fmt::format("more than {} bands: make them wider", most_bands));
  if (!(settings.slot_seconds > 0) || !(settings.window_seconds >= settings.slot_seconds))
    return wrong(fmt::format("a window of {:g} s cannot hold a slot of {:g} s", settings.window_seconds, settings.slot_seconds));
  const double slots = std::round(settings.window_seconds / settings.slot_seconds);
  if (settings.windows < 1 || slots * static_cast<double>(settings.windows) > 65535)
    return wrong("between 1 and 65,535 slots in all windows together");
  return LoadTable(servers, settings, static_cast<std::size_t>(slots));
}

LoadTable::LoadTable(std::size_t servers, const LoadSettings& settings, std::size_t slots_per_window)
    : settings_(settings),
      bands_(settings.bands.count()),
      slots_per_window_(slots_per_window),
      slots_(slots_per_window * settings.windows),
      ring_(slots_ * servers, nothing),
      throughput_(slots_ * servers, 0),
      counts_(servers * settings.windows * bands_, 0),
      measured_(servers * settings.windows, 0),
      sum_(servers, 0) {}

void LoadTable::add_slot(std::span<const double> throughput) {
  const std::size_t count = servers(), windows = settings_.windows;
  assert(throughput.size() == count);
  newest_ = newest_ + 1 == slots_ ? 0 : newest_ + 1;
  // The slot that leaves a window is the first of the next one; that of the last window is forgotten, and its place is the new slot's.
  for (std::size_t window = windows; window-- > 0;) {
    const std::size_t age = (window + 1) * slots_per_window_;
    const std::uint8_t* leaving = ring_.data() + (newest_ + slots_ - age) % slots_ * count;
    for (std::size_t server = 0; server < count; ++server) {
      const std::uint8_t band = leaving[server];
      if (band == nothing) continue;
      std::uint16_t* counts = counts_.data() + (server * windows + window) * bands_;
      --counts[band];
      --measured_[server * windows + window];
      if (window + 1 == windows) continue;
      ++counts[bands_ + band];
      ++measured_[server * windows + window + 1];
    }
  }
  std::uint8_t* bands = ring_.data() + newest_ * count;
  std::int64_t* values = throughput_.data() + newest_ * count;
  for (std::size_t server = 0; server < count; ++server) {
    sum_[server] -= values[server];
    values[server] = 0;
    bands[server] = nothing;
    if (std::isnan(throughput[server])) continue;
    const double value = std::clamp(throughput[server], 0.0, most_throughput);
    values[server] = static_cast<std::int64_t>(value + 0.5);
    sum_[server] += values[server];
    bands[server] = static_cast<std::uint8_t>(settings_.bands.of(value));
    ++counts_[server * windows * bands_ + bands[server]];
    ++measured_[server * windows];
  }
}

void LoadTable::fractions(std::size_t server, std::span<double> into) const {
  std::fill(into.begin(), into.end(), 0);
  std::size_t seen = 0;
  for (std::size_t window = 0; window < settings_.windows; ++window) {
    const std::uint16_t measured = measured_[server * settings_.windows + window];
    if (measured == 0) continue;
    ++seen;
    const std::uint16_t* counts = counts_.data() + (server * settings_.windows + window) * bands_;
    const double each = 1.0 / measured;
    for (std::size_t band = 0; band < bands_; ++band) into[band] += static_cast<double>(counts[band]) * each;
  }
  if (seen > 1)
    for (double& fraction : into) fraction /= static_cast<double>(seen);
}

double LoadTable::coverage(std::size_t server) const {
  const auto begin = measured_.begin() + static_cast<std::ptrdiff_t>(server * settings_.windows);
  return static_cast<double>(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(settings_.windows), 0u)) /
         static_cast<double>(slots_);
}

double LoadTable::mean_throughput(std::size_t server) const {
  const double measured = coverage(server) * static_cast<double>(slots_);
  return measured > 0 ? static_cast<double>(sum_[server]) / measured : not_measured;
}

Loads LoadTable::loads() const {
  Loads all;
  all.bands = bands_;
  all.fractions.resize(servers() * bands_);
  all.coverage.resize(servers());
  for (std::size_t server = 0; server < servers(); ++server) {
    fractions(server, all.of(server));
    all.coverage[server] = coverage(server);
  }
  return all;
}

}  // namespace fathom::advise
