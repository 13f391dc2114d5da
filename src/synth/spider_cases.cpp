// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_cases.h"

#include <algorithm>
#include <cassert>

namespace fathom::titan {

namespace {

/// What periodic cases have in common; two of each, in different partitions.
struct PeriodicRow {
  const char* name;
  std::uint32_t nodes;
  std::uint8_t partition;
  Millis period;
  std::uint32_t least, most;
  std::uint64_t burst_gib;
  std::uint32_t footprint;
  std::uint64_t rate;
  double runs_per_week;
};
constexpr PeriodicRow many_lengths[] = {
    {"length_1_to_40", 192, 0, 240 * second, 5, 200, 256, 128, 70'000, 10},
    {"length_1_to_40_b", 320, 1, 420 * second, 5, 200, 768, 320, 65'000, 8},
};
constexpr PeriodicRow drifting[] = {
    {"drift_10", 256, 0, 360 * second, 10, 30, 512, 192, 70'000, 9},
    {"drift_10_b", 160, 1, 180 * second, 20, 60, 200, 96, 80'000, 9},
};
constexpr PeriodicRow often_off[] = {
    {"off_half", 288, 0, 480 * second, 6, 20, 640, 256, 72'000, 10},
    {"off_half_b", 144, 1, 200 * second, 10, 30, 192, 64, 85'000, 10},
};
constexpr PeriodicRow few[] = {
    {"few_runs", 640, 0, 300 * second, 20, 30, 1536, 504, 80'000, 0.75},
    {"few_runs_b", 128, 1, 540 * second, 15, 25, 1024, 256, 85'000, 0.75},
};
constexpr PeriodicRow readers[] = {
    {"reader", 224, 0, 330 * second, 8, 30, 384, 160, 70'000, 9},
    {"reader_b", 96, 1, 150 * second, 20, 60, 160, 80, 85'000, 9},
};

/// A checkpoint, and output for analysis more often, smaller and on fewer OSTs.
struct TwoPatternsRow {
  PeriodicRow checkpoint;
  Millis period;
  std::uint64_t burst_gib;
  std::uint32_t footprint;
  std::uint64_t rate;
};
constexpr TwoPatternsRow two_patterns[] = {
    {{"two_patterns", 512, 0, 900 * second, 4, 20, 1024, 256, 75'000, 9}, 240 * second, 200, 64, 80'000},
    {{"two_patterns_b", 384, 1, 870 * second, 4, 20, 1024, 256, 80'000, 9}, 250 * second, 210, 64, 85'000},
};

/// Small jobs without I/O of somebody who works while a long simulation runs.
struct PiggyRow {
  const char* name;
  std::uint32_t nodes;
  const char* host;
  std::uint32_t runs_per_host;
};
constexpr PiggyRow piggies[] = {
    {"piggy_long", 8, "specwave3d", 3},
    {"piggy_long_b", 12, "lesmark_swirl", 1},
    {"piggy_long_c", 20, "specwave3d", 3},
    {"piggy_long_d", 6, "lesmark_swirl", 1},
};

/// Silent, with the nodes and run lengths of a pseudo-application.
struct SilentRow {
  const char* name;
  const char* like;
};
constexpr SilentRow silents[] = {{"silent_like", "IOR_A"}, {"silent_like_b", "IOR_E"}};
constexpr double silent_runs_per_week = 7.5;

Application case_named(const char* name, std::uint32_t nodes, Kind kind) {
  Application app;
  app.user = "casetest";
  app.name = name;
  app.nodes = nodes;
  app.kind = kind;
  app.trouble_share = 0;
  return app;
}

Application periodic_case(const PeriodicRow& row) {
  Application app = case_named(row.name, row.nodes, Kind::periodic);
  app.model = row.footprint == partition_osts ? FileModel::n_to_n : FileModel::n_to_m;
  app.partition = row.partition;
  app.beat(row);
  app.volume_jitter = 0.02;
  app.runs_per_week = row.runs_per_week;
  return app;
}

Application two_patterns_case(const TwoPatternsRow& row) {
  Application app = periodic_case(row.checkpoint);
  Pattern analysis = app;
  analysis.period = row.period;
  analysis.burst_bytes = row.burst_gib * gib;
  analysis.footprint = row.footprint;
  analysis.rate = row.rate;
  app.second = analysis;
  return app;
}

std::uint32_t place_of(std::string_view name, const std::vector<Application>& apps) {
  const auto found = std::find_if(apps.begin(), apps.end(), [&](const Application& app) { return app.name == name; });
  assert(found != apps.end());
  return static_cast<std::uint32_t>(found - apps.begin());
}

Application piggy_case(const PiggyRow& row, const std::vector<Application>& others) {
  Application app = case_named(row.name, row.nodes, Kind::piggy_back);
  app.shortest_run = hour;
  app.longest_run = 3 * hour;
  app.host = place_of(row.host, others);
  app.runs_per_host = row.runs_per_host;
  return app;
}

Application silent_case(const SilentRow& row, const std::vector<Application>& others) {
  const Application& model = others[place_of(row.like, others)];
  Application app = case_named(row.name, model.nodes, Kind::silent);
  app.shortest_run = model.least_iterations * model.period;
  app.longest_run = model.most_iterations * model.period;
  app.runs_per_week = silent_runs_per_week;
  app.any_time = true;
  return app;
}

}  // namespace

std::vector<Application> case_applications(const std::vector<Application>& others) {
  std::vector<Application> cases;
  for (const PeriodicRow& row : many_lengths) cases.emplace_back(periodic_case(row)).many_lengths = true;
  for (const TwoPatternsRow& row : two_patterns) cases.push_back(two_patterns_case(row));
  for (const PeriodicRow& row : drifting) cases.emplace_back(periodic_case(row)).drift = 0.1;
  for (const PeriodicRow& row : often_off) {
    Application& app = cases.emplace_back(periodic_case(row));
    app.off_share = 0.35;
    app.exactly_off = true;
  }
  for (const PiggyRow& row : piggies) cases.push_back(piggy_case(row, others));
  for (const PeriodicRow& row : few) cases.push_back(periodic_case(row));
  for (const SilentRow& row : silents) cases.push_back(silent_case(row, others));
  for (const PeriodicRow& row : readers) cases.emplace_back(periodic_case(row)).reading = 1;
  return cases;
}

}  // namespace fathom::titan
