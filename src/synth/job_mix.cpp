// SPDX-License-Identifier: Apache-2.0
// Applications are laid out so that the population meets its marginal distributions with few runs already: each property
// is a rank, and the ranks fill (0, 1) evenly by weight. Runs walk through the applications by the golden ratio, so that
// any stretch of runs holds each application about as often as its weight says. Plain draws from tails as heavy as these
// would need hundreds of thousands of jobs before their totals settle.
#include "synth/job_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace fathom {
namespace {

constexpr double mib = 1024.0 * 1024.0;
constexpr double gib = 1024.0 * mib;

constexpr std::array application_names = {"qcd_hmc",    "qcd_prop",   "md_water",    "md_membrane",   "cfd_les",    "cfd_jet",
                                          "plasma_pic", "gyrokin",    "climate_ocn", "climate_atm",   "dft_slab",   "dft_cluster",
                                          "nbody_tree", "galaxy_sph", "seismo_fd",   "lattice_bm",    "spin_glass", "protein_mc",
                                          "polymer_md", "neuro_net",  "xtal_phase",  "turb_spectral", "graph_walk", "quantum_mc"};

/// A distribution known by its 80% value: a power below it, a truncated Pareto tail above it.
struct HeavyTail {
  double value80;
  double body_power;
  double tail_alpha;
  double most;

  double at(double rank) const {
    if (rank < 0.8) return value80 * std::pow(rank / 0.8, body_power);
    const double within = (rank - 0.8) / 0.2;
    const double cut = 1 - std::pow(value80 / most, tail_alpha);
    return value80 * std::pow(1 - within * cut, -1 / tail_alpha);
  }

  /// The mean between two ranks, so that a sum over strata keeps the whole tail.
  double mean(double from, double to) const {
    constexpr int steps = 256;
    double sum = 0;
    for (int i = 0; i < steps; ++i) sum += at(from + (to - from) * (i + 0.5) / steps);
    return sum / steps;
  }
};

// Body powers and alphas follow from the papers' means and shares: mean of the body = value80 / (1 + power), and the
// tail's mean = (share of top 20%) * mean / 0.2. Read: mean 92 GiB, 97.6 %; written: 73 GiB, 97.7 %.
constexpr HeavyTail read_volume{12.7 * gib, 3.6, 0.69, 109.5 * 1024 * gib};
constexpr HeavyTail write_volume{15.3 * gib, 6.3, 0.64, 22.3 * 1024 * gib};
constexpr HeavyTail read_requests{77e3, 2.4, 0.72, 1e9};
constexpr HeavyTail write_requests{33.2e3, 2.4, 0.56, 924e6};

/// Hours of a long run: 80 % within 5.82 h, means of both parts as in the dissertation (2.53 h and 12.35 h).
double long_hours(double rank) {
  if (rank < 0.8) return 1 + 4.82 * std::pow(rank / 0.8, 2.15);
  return 5.82 + 18.1 * std::pow((rank - 0.8) / 0.2, 1.785);
}

struct SizeShare {
  std::uint64_t nodes;
  double until;
};
constexpr std::array sizes = {SizeShare{32, 0.004},   SizeShare{64, 0.008},    SizeShare{128, 0.013},  SizeShare{256, 0.02},
                              SizeShare{512, 0.70},   SizeShare{1024, 0.91},   SizeShare{2048, 0.955}, SizeShare{4096, 0.981},
                              SizeShare{8192, 0.995}, SizeShare{16384, 0.999}, SizeShare{32768, 1.0}};

std::uint64_t size_at(double rank, const Workload& workload) {
  std::uint64_t nodes = sizes.back().nodes;
  for (const SizeShare& size : sizes) {
    if (rank < size.until) {
      nodes = size.nodes;
      break;
    }
  }
  if (nodes < 512 && !workload.has_small_partitions) nodes = 512;
  return std::min(nodes, workload.most_nodes);
}

using Scores = std::vector<double>;

/// Ranks by weight: the k-th smallest score gets the middle of its stretch of the total weight.
Scores ranks_of(const Scores& scores, const Scores& weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  Scores ranks(scores.size());
  double before = 0;
  for (const std::size_t i : order) {
    ranks[i] = before + weights[i] / 2;
    before += weights[i];
  }
  return ranks;
}

Scores correlated(const Scores& with, double correlation, Random& random) {
  Scores scores(with.size());
  for (std::size_t i = 0; i < with.size(); ++i)
    scores[i] = correlation * with[i] + std::sqrt(1 - correlation * correlation) * random.normal();
  return scores;
}

/// Rank `rank` moved a little, kept inside (0, 1) by reflection.
double nudged(double rank, double by, Random& random) {
  double moved = rank + by * random.normal();
  if (moved < 0) moved = -moved;
  if (moved > 1) moved = 2 - moved;
  return std::clamp(moved, 1e-6, 1 - 1e-6);
}

double fraction_of(double x) { return x - std::floor(x); }

struct Turn {
  bool is_long;
  std::uint64_t among_its_kind;
};

/// Of every twenty jobs `long_ones` are long, at places drawn anew each time.
Turn turn_of(std::uint64_t number, std::uint64_t long_ones, std::uint64_t seed) {
  const std::uint64_t twenty = number / 20, place = number % 20;
  Random random = Random::stream(seed ^ 0x10a6u, twenty);
  std::uint64_t left = long_ones, longs_before = 0;
  for (std::uint64_t i = 0;; ++i) {  // each place is long with probability (long ones left) / (places left)
    const bool is_long = random.uniform() * static_cast<double>(20 - i) < static_cast<double>(left);
    if (i == place) return {is_long, is_long ? twenty * long_ones + longs_before : twenty * (20 - long_ones) + (i - longs_before)};
    left -= is_long;
    longs_before += is_long;
  }
}

}  // namespace

JobMix::JobMix(std::uint64_t seed, const Workload& workload) : seed_(seed), workload_(workload) {
  Random random = Random::stream(seed, 0xa991);
  const std::size_t n = workload.applications;
  Scores weights(n);
  for (double& weight : weights) weight = random.lognormal(1, 0.5);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;

  const Scores none(n, 0.0);
  const Scores read = correlated(none, 0, random);
  const Scores write = correlated(read, workload.write_with_read, random);
  Scores both(n);
  for (std::size_t i = 0; i < n; ++i) both[i] = (read[i] + write[i]) / std::sqrt(2 + 2 * workload.write_with_read);
  const auto ranked = [&](const Scores& with, double correlation) { return ranks_of(correlated(with, correlation, random), weights); };
  const Scores read_ranks = ranks_of(read, weights), write_ranks = ranks_of(write, weights);
  const Scores node_ranks = ranked(both, workload.nodes_with_volume), duration = ranked(both, workload.duration_with_volume);
  const Scores spread = ranked(read, workload.spread_with_read), duty = ranked(write, workload.duty_with_write);
  const Scores parallel = ranked(write, workload.parallel_with_write);
  const Scores reads = ranked(read, workload.requests_with_volume), writes = ranked(write, workload.requests_with_volume);
  const Scores together = ranked(none, 0), silence = ranked(none, 0);

  double until = 0;
  for (std::size_t i = 0; i < n; ++i) {
    until += weights[i];
    const double place = random.uniform();
    const auto user = random.whole(1, std::max<std::int64_t>(4, static_cast<std::int64_t>(n) / 4));
    const auto name = static_cast<std::size_t>(random.whole(0, application_names.size() - 1));
    const auto mean = [&](const HeavyTail& tail, double rank) { return tail.mean(rank - weights[i] / 2, rank + weights[i] / 2); };
    applications_.push_back({fmt::format("u{:03}", user), application_names[name], size_at(node_ranks[i], workload), until,
                             mean(read_volume, read_ranks[i]), mean(write_volume, write_ranks[i]), mean(read_requests, reads[i]),
                             mean(write_requests, writes[i]), duration[i], spread[i], duty[i], parallel[i], together[i], silence[i],
                             static_cast<std::uint8_t>(place < 0.92    ? 0
                                                       : place < 0.985 ? 1
                                                                       : 2)});
  }
  applications_.back().until = 1;
}

Run JobMix::run(std::uint64_t number) const {
  const Turn turn = turn_of(number, workload_.long_in_twenty, seed_);
  const double golden = 0.6180339887498949;
  const double phase = Random::stream(seed_, turn.is_long ? 0x9e1d : 0x9e1e).uniform();
  const double draw = fraction_of(static_cast<double>(turn.among_its_kind) * golden + phase);
  const auto found = std::upper_bound(applications_.begin(), applications_.end() - 1, draw,
                                      [](double u, const Application& application) { return u < application.until; });
  const Application& app = *found;
  Random random = Random::stream(seed_ ^ 0x52554eu, number);

  Run run;
  run.number = number;
  run.application = &app;
  run.nodes = app.nodes;
  const double long_seconds = 3600 * std::min(long_hours(nudged(app.duration, 0.05, random)), workload_.longest_hours);
  double done = 1;  // how much of its usual I/O a run gets to
  if (turn.is_long) {
    run.seconds = static_cast<std::int64_t>(long_seconds);
  } else {
    double length = 3600;
    while (length >= 3600) length = random.lognormal(workload_.short_median, workload_.short_spread);
    run.seconds = 20 + static_cast<std::int64_t>(length * 3579 / 3600);
    done = static_cast<double>(run.seconds) / long_seconds;
    if (run.nodes > 1024 && random.chance(0.6)) run.nodes = 512;
  }
  const auto amount = [&](double usual, double share) { return usual * share * random.lognormal(1, 0.12); };
  run.read_bytes = static_cast<std::uint64_t>(std::max(amount(app.read_bytes, std::sqrt(done)), 2 * mib));
  run.write_bytes = static_cast<std::uint64_t>(amount(app.write_bytes, done));
  run.read_requests = 1 + static_cast<std::uint64_t>(amount(app.read_requests, std::sqrt(done)));
  run.write_requests = 1 + static_cast<std::uint64_t>(amount(app.write_requests, done));
  if (app.read_spread > workload_.start_only)
    run.read_spread = std::pow((app.read_spread - workload_.start_only) / (1 - workload_.start_only), workload_.spread_power);
  run.write_duty = workload_.duty_most * std::pow(app.write_duty, workload_.duty_power);
  if (app.write_parallel > workload_.serial_writers)
    run.write_parallel =
        std::pow((app.write_parallel - workload_.serial_writers) / (1 - workload_.serial_writers), workload_.parallel_power);
  run.reads_together = app.read_together > 0.016;
  run.logs = app.silence > 0.007;
  run.read_rate = std::min(random.lognormal(workload_.read_rate, 0.6), 300.0) * mib;
  run.write_rate = std::min(random.lognormal(workload_.write_rate, 0.6), 300.0) * mib;
  return run;
}

}  // namespace fathom
