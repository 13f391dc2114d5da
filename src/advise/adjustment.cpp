// SPDX-License-Identifier: Apache-2.0
#include "advise/adjustment.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::advise {
namespace {

constexpr double most_bursts = 16;  // more would change little: each server has had its turn several times

/// Where the time of a band goes when throughput changes by `bands_up` widths: into two neighbours, by how far between them.
struct Move {
  std::ptrdiff_t whole;
  double beyond;  // this share goes one band further
};

Move move_of(std::size_t band, double widths) {
  const double whole = std::floor(widths);
  return {static_cast<std::ptrdiff_t>(whole), band == 0 ? 0 : widths - whole};
}

std::size_t place(std::size_t band, std::ptrdiff_t by, std::size_t bands) {
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(band) + by, 0, static_cast<std::ptrdiff_t>(bands) - 1));
}

void put_on(std::span<double> f, double widths, double duty) {
  std::array<double, most_bands> old;  // not set to zero: it is long, and this is done for every server
  std::copy(f.begin(), f.end(), old.begin());
  for (double& each : f) each *= 1 - duty;
  for (std::size_t band = 0; band < f.size(); ++band) {
    if (old[band] == 0) continue;
    const Move move = move_of(band, widths);
    f[place(band, move.whole, f.size())] += duty * old[band] * (1 - move.beyond);
    f[place(band, move.whole + 1, f.size())] += duty * old[band] * move.beyond;
  }
}

void take_off(std::span<double> f, double widths, double duty) {
  std::array<double, most_bands> gained;
  std::fill_n(gained.begin(), f.size(), 0);
  const auto lowest = std::min(static_cast<std::size_t>(widths), f.size() - 1);
  for (std::size_t band = lowest; band < f.size() && duty > 0; ++band) {
    const double taken = std::min(f[band], duty);
    f[band] -= taken;
    duty -= taken;
    gained[place(band, -static_cast<std::ptrdiff_t>(std::round(widths)), f.size())] += taken;
  }
  for (std::size_t band = 0; band < f.size(); ++band) f[band] += gained[band];
}

}  // namespace

double unseen_share(double running_seconds, std::optional<double> left, double horizon_seconds) {
  const double seen = std::clamp(running_seconds / horizon_seconds, 0.0, 1.0);
  const double coming = left ? std::clamp(*left / horizon_seconds, 0.0, 1.0) : 1;
  return coming - seen;
}

std::optional<double> left_seconds(double running_seconds, double usual_seconds, std::optional<double> limit_seconds) {
  std::optional<double> left;
  if (limit_seconds) left = std::max(0.0, *limit_seconds - running_seconds);
  if (usual_seconds > running_seconds) left = std::min(left.value_or(usual_seconds), usual_seconds - running_seconds);
  return left;
}

double mean_level(std::span<const double> fractions) {
  double level = 0;
  for (std::size_t band = 1; band < fractions.size(); ++band) level += static_cast<double>(band) * fractions[band];
  return level;
}

void adjust(Loads& loads, const Bands& bands, std::span<const std::uint32_t> servers, const KnownPattern& pattern, double share,
            double horizon_seconds) {
  const double duty = std::min(1.0, std::fabs(share) * pattern.duty());
  const double widths = std::min(pattern.server_throughput() / bands.width, static_cast<double>(bands.count()));
  if (!(duty > 0) || !(widths > 0)) return;
  struct Place {
    double level;  // rising for whom it concerns first
    std::uint32_t server;
    std::uint32_t hits;
    bool operator<(const Place& other) const { return level != other.level ? level < other.level : server < other.server; }
  };
  std::vector<Place> order;
  order.reserve(servers.size());
  for (const std::uint32_t server : servers)
    if (loads.coverage[server] > 0) order.push_back({share > 0 ? mean_level(loads.of(server)) : -mean_level(loads.of(server)), server, 0});
  const std::size_t count = std::min(pattern.servers(), order.size());
  const auto bursts =
      static_cast<std::uint32_t>(std::clamp(std::round(std::fabs(share) * horizon_seconds / pattern.period_seconds), 1.0, most_bursts));
  for (std::uint32_t burst = 0; burst < bursts; ++burst) {
    if (count < order.size()) std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
    for (std::size_t i = 0; i < count; ++i) {
      ++order[i].hits;
      order[i].level += widths * duty / bursts;
    }
  }
  for (const Place& place : order) {
    if (place.hits == 0) continue;
    const double part = duty * place.hits / bursts;
    if (share > 0) {
      put_on(loads.of(place.server), widths, part);
    } else {
      take_off(loads.of(place.server), widths, part);
    }
  }
}

}  // namespace fathom::advise
