// SPDX-License-Identifier: Apache-2.0
// How fast bursts are clustered: mine_bench [SEED] prints one line of `key value` pairs for bursts of three sizes and for point sets that
// ruin a plain OPTICS, and at last what a point costs among 500,000 against among 100,000.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "base/own_use.h"
#include "base/random.h"
#include "mine/burst_clusters.h"
#include "mine/burst_scale.h"
#include "mine/optics.h"
#include "mine/xi_clusters.h"

namespace fathom::mine {
namespace {

/// Of the sets that are not bursts.
constexpr BurstClusterSettings plain{.min_points = 10, .min_cluster_size = 10, .xi = 0.05};

/// Six patterns, each with its own height, area and spread of 1 to 15 %, and two bursts in five of other applications, over decades.
std::vector<BurstSize> made_bursts(std::size_t count, Random& random) {
  std::vector<BurstSize> bursts(count);
  for (BurstSize& each : bursts) {
    const auto pattern = random.whole(0, 9);
    if (pattern < 6) {
      const double spread = 0.01 + 0.028 * static_cast<double>(pattern);
      each.height = random.lognormal(2e9 * static_cast<double>(1 << pattern), spread);
      each.area = random.lognormal(1e11 * static_cast<double>(1 + pattern * pattern), 1.5 * spread);
    } else {
      each.height = random.lognormal(8e9, 1.2);
      each.area = each.height * random.lognormal(25, 1);
    }
  }
  return bursts;
}

/// Nanoseconds for a point, of everything from the points to the clusters.
double measure(std::string_view set, const std::vector<Point>& points, double max_eps, const BurstClusterSettings& settings = plain) {
  const double begin = processor_seconds();
  const Reachability plot = optics(points, {settings.min_points, max_eps});
  const double ordered = processor_seconds();
  const XiClusters clusters = xi_clusters(plot, {settings.xi, settings.min_points, settings.min_cluster_size});
  const double end = processor_seconds();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double per_point = (end - begin) * 1e9 / static_cast<double>(points.size());
  fmt::print("set {} points {} max_eps {:.4g} optics_seconds {:.3f} xi_seconds {:.3f} ns_per_point {:.0f} clusters {} peak_kib {}\n", set,
             points.size(), max_eps, ordered - begin, end - ordered, per_point, clusters.clusters.size(), usage.ru_maxrss);
  std::fflush(stdout);
  return per_point;
}

double measure_bursts(std::size_t count, std::uint64_t seed) {
  Random random = Random::stream(seed, count);
  const std::vector<BurstSize> bursts = made_bursts(count, random);
  const double begin = processor_seconds();
  const std::vector<Point> points = scaled(bursts).points;
  const BurstClusterSettings settings = BurstClusterSettings::of(count);
  const double max_eps = sensible_max_eps(points, settings.min_points);
  const double scaling = (processor_seconds() - begin) * 1e9 / static_cast<double>(count);
  fmt::print("set scaling points {} ns_per_point {:.0f}\n", count, scaling);
  return measure("bursts", points, max_eps, settings) + scaling;
}

std::vector<Point> drawn(std::size_t count, Random& random, Point (*draw)(Random&)) {
  std::vector<Point> points(count);
  for (Point& each : points) each = draw(random);
  return points;
}

void measure_adversaries(std::uint64_t seed) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  Random random = Random::stream(seed, 0);
  const auto normal = [](Random& r) { return Point{r.normal(), r.normal()}; };
  measure("equal", std::vector<Point>(500'000, Point{1, 2}), 1);
  std::vector<Point> half_equal = drawn(100'000, random, normal);
  for (std::size_t i = 0; i < half_equal.size(); i += 2) half_equal[i] = {0.25, 0.25};
  measure("50000_equal", half_equal, endless);
  measure("all_within_eps", drawn(500'000, random, normal), 100);
  measure("two_far_clusters",
          drawn(200'000, random,
                [](Random& r) {
                  return Point{r.normal() + (r.chance(0.5) ? 1e6 : 0.0), r.normal()};
                }),
          endless);
  measure("grid",
          drawn(200'000, random,
                [](Random& r) {
                  return Point{static_cast<double>(r.whole(0, 499)), static_cast<double>(r.whole(0, 499))};
                }),
          endless);
  measure("coarse_grid",
          drawn(200'000, random,
                [](Random& r) {
                  return Point{static_cast<double>(r.whole(0, 29)), static_cast<double>(r.whole(0, 29))};
                }),
          endless);
  measure("line", drawn(200'000, random, [](Random& r) { return Point{r.uniform(), 0.5}; }), endless);
  measure("circle_and_centre",
          drawn(200'000, random,
                [](Random& r) {
                  const double angle = r.uniform(0, 6.283185307179586), radius = r.chance(0.01) ? r.uniform(0, 0.5) : 1;
                  return Point{radius * std::cos(angle), radius * std::sin(angle)};
                }),
          endless);
  measure("decades",
          drawn(200'000, random,
                [](Random& r) {
                  const double angle = r.uniform(0, 6.283185307179586), radius = std::exp(r.uniform(-30, 30));
                  return Point{radius * std::cos(angle), radius * std::sin(angle)};
                }),
          endless);
}

}  // namespace
}  // namespace fathom::mine

int main(int argc, char** argv) {
  using namespace fathom::mine;
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  measure_bursts(10'000, seed);
  const double small = measure_bursts(100'000, seed), large = measure_bursts(500'000, seed);
  measure_adversaries(seed);
  fmt::print("ratio_500k_100k {:.3f}\n", large / small);
}
