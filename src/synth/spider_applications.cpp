// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_applications.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "synth/spider_cases.h"

namespace fathom::titan {

namespace {

constexpr std::uint64_t application_streams = 0x100000000u;
constexpr std::size_t further_periodic = 24;
constexpr std::size_t irregular_count = 340;
constexpr std::size_t silent_count = 3700;
// Work comes and goes: five months of Titan's log have 9,998 applications (AID, Table I), a month of this machine some 4,000.
constexpr double usual_days = 30, newcomers_a_day = 49.5;

/// AID, Table III; stripes of four OSTs per file, so an n-to-m model of 64 files has 256 OSTs and 128 files of their own fill a partition.
struct PseudoRow {
  const char* name;
  std::uint32_t nodes;
  Millis period;
  std::uint32_t least, most;
  std::uint64_t burst_gib;
  FileModel model;
  std::uint32_t footprint;
  std::uint64_t rate;
};
constexpr PseudoRow pseudo_rows[] = {
    {"IOR_A", 256, 300 * second, 6, 8, 1024, FileModel::n_to_m, 256, 75'000},
    {"IOR_B", 512, 250 * second, 6, 10, 2048, FileModel::n_to_n, 504, 80'000},
    {"IOR_C", 128, 450 * second, 4, 6, 1024, FileModel::n_to_m, 128, 88'000},
    {"IOR_D", 1024, 600 * second, 4, 5, 2048, FileModel::n_to_n, 504, 82'000},
    {"IOR_E", 128, 100 * second, 10, 20, 1024, FileModel::n_to_n, 504, 85'000},
    {"IOR_F", 128, 80 * second, 15, 25, 1024, FileModel::n_to_m, 384, 88'000},
    {"IOR_G", 256, 600 * second, 12, 20, 2048, FileModel::n_to_m, 192, 88'000},
    {"IOR_H", 64, 500 * second, 4, 6, 64, FileModel::n_to_1, 4, 70'000},
};
constexpr double pseudo_runs_per_week = 17;

/// AID, Table II (nodes, run time, OSTs; 1,008 there is every OST of a partition, as 504 is here). Periods and volumes
/// are our own but for the last, whose 380 s and 184 GB/s on 963 OSTs are in Table IV.
struct VerifiedRow {
  const char* name;
  std::uint32_t nodes;
  Millis shortest, longest;
  std::uint32_t footprint;
  Millis period;
  std::uint64_t burst_gib;
  std::uint64_t rate;
  double runs_per_week;
};
constexpr VerifiedRow verified_rows[] = {
    {"specwave3d", 8192, 1440 * minute, 1440 * minute, 64, 1800 * second, 384, 80'000, 2},
    {"s3d_jet", 250, 6 * minute, 60 * minute, 504, 180 * second, 320, 70'000, 20},
    {"chimera2048", 2048, 30 * minute, 185 * minute, 504, 900 * second, 1024, 75'000, 9},
    {"lesmark_swirl", 1760, 720 * minute, 720 * minute, 180, 1200 * second, 512, 60'000, 5},
    {"iobench_adios", 1024, 110 * minute, 230 * minute, 504, 1500 * second, 1536, 80'000, 7},
    {"s3d_ign", 200, 30 * minute, 190 * minute, 504, 600 * second, 400, 72'000, 10},
    {"mpiio-sort", 1008, 13 * minute, 17 * minute, 504, 120 * second, 300, 85'000, 16},
    {"cam5_ne120", 16388, 43 * minute, 90 * minute, 400, 380 * second, 6144, 191'000, 1},
};

constexpr std::string_view codes[] = {"vasp", "lammps", "namd",  "gromacs", "xgc1",  "gtc",   "qmcpack", "nwchem",   "cp2k", "flash4",
                                      "enzo", "hacc",   "pflot", "denovo",  "nek5k", "lsms",  "chroma",  "milc",     "s3d",  "cesm",
                                      "wrf",  "hycom",  "madns", "genasis", "sweep", "amber", "charmm",  "espresso", "mfdn", "castro"};
constexpr std::string_view habits[] = {"run", "test", "prod", "relax", "scan", "md", "eq", "restart", "opt", "bench", "post", "ens"};
/// What people really type: nothing of it may upset a reader. (A '|' would end the field: sacct cannot quote it.)
constexpr std::string_view odd_names[] = {"run #7 (beta=0.3)", "größe & form", "a,b;c",   "say \"hello\"", "[0-9]*.sh", "%x.%j",
                                          "~/bin/solve.sh",    "last try!!",   "x=1&y=2", "None",          "-n 4",      "日本海モデル"};

std::string user_name(Random& random) {
  std::string name;
  for (int i = 0; i < 3; ++i) name += static_cast<char>('a' + random.whole(0, 25));
  return name + fmt::format("{}", random.whole(0, 9));
}

void iterate_for(Application& app, Millis shortest, Millis longest) {
  app.least_iterations = static_cast<std::uint32_t>(std::max<Millis>(2, shortest / app.period));
  app.most_iterations = std::max(app.least_iterations, static_cast<std::uint32_t>(longest / app.period));
}

Application pseudo_application(const PseudoRow& row, std::size_t number) {
  Application app;
  app.user = "iortest";
  app.name = row.name;
  app.nodes = row.nodes;
  app.kind = Kind::pseudo;
  app.model = row.model;
  app.partition = static_cast<std::uint8_t>(number % partition_count);
  app.beat(row);
  app.trouble_share = 0;
  app.runs_per_week = pseudo_runs_per_week;
  return app;
}

Application verified_application(const VerifiedRow& row, Random& random) {
  Application app;
  app.user = user_name(random);
  app.name = row.name;
  app.nodes = row.nodes;
  app.kind = Kind::periodic;
  app.model = row.footprint == partition_osts ? FileModel::n_to_n : FileModel::n_to_m;
  app.partition = static_cast<std::uint8_t>(random.whole(0, 1));
  app.period = row.period;
  iterate_for(app, row.shortest, row.longest);
  app.burst_bytes = row.burst_gib * gib;
  app.footprint = row.footprint;
  app.rate = row.rate;
  app.restart_bytes = random.chance(0.5) ? app.burst_bytes : 0;
  app.period_jitter = 0.03;
  app.volume_jitter = 0.01;
  app.off_share = 0.08;
  app.runs_per_week = row.runs_per_week;
  return app;
}

template <class T, std::size_t n>
const T& one_of(const T (&choices)[n], Random& random) {
  return choices[random.whole(0, static_cast<std::int64_t>(n) - 1)];
}

/// Draws one after the other: compilers order the arguments of a call as they like, and a seed gives the same machine with each of them.
std::string code_and_habit(Random& random, bool may_have_dash) {
  const std::string_view habit = one_of(habits, random);
  const std::string_view between = may_have_dash && random.chance(0.5) ? "-" : "_";
  return fmt::format("{}{}{}", one_of(codes, random), between, habit);
}

Application periodic_application(Random& random) {
  static constexpr std::uint32_t node_choices[] = {64, 96, 128, 192, 256, 300, 384, 512, 640, 768, 1024, 1500, 2048};
  static constexpr std::uint32_t footprints[] = {16, 32, 48, 64, 96, 128, 180, 256, 320, 400, 504};
  Application app;
  app.user = user_name(random);
  app.name = code_and_habit(random, false);
  app.nodes = one_of(node_choices, random);
  app.kind = Kind::periodic;
  app.footprint = one_of(footprints, random);
  app.model = app.footprint == partition_osts ? FileModel::n_to_n : FileModel::n_to_m;
  app.partition = static_cast<std::uint8_t>(random.whole(0, 1));
  app.period = std::clamp<Millis>(static_cast<Millis>(random.lognormal(500, 0.7)), 150, 2400) * second;
  app.rate = static_cast<std::uint64_t>(random.whole(40'000, 85'000));
  const double burst_ms = random.uniform(0.03, 0.11) * static_cast<double>(app.period);
  app.burst_bytes =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(burst_ms * static_cast<double>(app.rate * app.footprint)) / gib) * gib;
  const Millis typical = static_cast<Millis>(random.lognormal(90, 0.5)) * minute;
  iterate_for(app, typical / 2, typical * 3 / 2);
  app.restart_bytes = random.chance(0.4) ? app.burst_bytes : 0;
  app.period_jitter = random.uniform(0.01, 0.04);
  app.volume_jitter = random.uniform(0, 0.03);
  app.off_share = random.uniform(0, 0.15);
  app.runs_per_week = random.uniform(5, 15);
  return app;
}

std::uint32_t usual_nodes(Random& random) {
  const double which = random.uniform();
  const double nodes = which < 0.45   ? random.lognormal(6, 0.9)
                       : which < 0.80 ? random.lognormal(80, 0.7)
                       : which < 0.96 ? random.lognormal(520, 0.5)
                                      : random.lognormal(2400, 0.4);
  return static_cast<std::uint32_t>(std::clamp(nodes, 1.0, 6000.0));
}

Application usual_application(std::size_t number, Random& random) {
  Application app;
  app.user = user_name(random);
  app.name = random.chance(0.015) ? std::string(one_of(odd_names, random)) : code_and_habit(random, true);
  if (random.chance(0.3)) app.name += fmt::format("{}", random.whole(1, 40));
  app.nodes = usual_nodes(random);
  const Millis typical = static_cast<Millis>(std::clamp(random.lognormal(36, 1.0), 2.0, 600.0) * static_cast<double>(minute));
  app.shortest_run = std::max<Millis>(20 * second, typical / 3);
  app.longest_run = typical * 5 / 3;
  app.weight = std::pow(static_cast<double>(number) + 3, -0.75);  // Zipf: a few run all the time, most a few times
  app.arrays = app.nodes <= 16 && random.chance(0.08);
  app.partition = static_cast<std::uint8_t>(random.whole(0, 1));
  return app;
}

/// Output when a result is worth it, or restart files and input sets to be read: bursts, but no period.
void make_irregular(Application& app, Random& random) {
  app.kind = Kind::irregular;
  app.model = FileModel::n_to_m;
  app.footprint =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(random.lognormal(16, 1.0)) / 4 * 4, 4, 252));
  app.rate = static_cast<std::uint64_t>(random.whole(20'000, 85'000));
  app.burst_bytes = static_cast<std::uint64_t>(std::clamp(random.lognormal(1.6, 0.8), 0.1, 20.0) * static_cast<double>(app.footprint) *
                                               static_cast<double>(gib));
  app.period = static_cast<Millis>(std::clamp(random.lognormal(9, 0.6), 3.0, 90.0) * static_cast<double>(minute));  // the mean gap
  app.volume_jitter = 0.7;
  app.reading = random.chance(0.4) ? random.uniform(0.6, 1.0) : random.uniform(0, 0.2);
  app.restart_bytes = random.chance(0.5) ? app.burst_bytes : 0;
  app.off_share = 0.1;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, 5> names = {"pseudo", "periodic", "irregular", "silent", "piggy_back"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view file_model_name(FileModel model) {
  static constexpr std::array<std::string_view, 4> names = {"", "n-to-1", "n-to-m", "n-to-n"};
  return names[static_cast<std::size_t>(model)];
}

Millis Pattern::quiet_burst() const {
  if (footprint == 0) return 0;
  return static_cast<Millis>(static_cast<double>(burst_bytes) / (static_cast<double>(footprint * rate) * slowest_ost));
}

/// Linear from 1 - drift / 2 at the first interval between bursts to 1 + drift / 2 at the last; number 0 has only the job's start before
/// it.
Millis Pattern::interval(std::uint32_t number, std::uint32_t count) const {
  if (drift == 0) return period;
  const double at = number == 0 || count < 3 ? 0 : static_cast<double>(number - 1) / static_cast<double>(count - 2);
  return static_cast<Millis>(static_cast<double>(period) * (1 + drift * (at - 0.5)));
}

std::vector<Application> applications(std::uint64_t seed, const SpiderVariant& variant, double days) {
  std::vector<Application> all;
  std::set<std::tuple<std::string, std::string, std::uint32_t>> taken;
  const auto add = [&](Application app) {
    while (!taken.emplace(app.user, app.name, app.nodes).second) app.name += "_b";  // two applications are two 3-tuples
    all.push_back(std::move(app));
  };
  const auto stream = [&] { return Random::stream(seed, application_streams + all.size()); };

  for (const PseudoRow& row : pseudo_rows) add(pseudo_application(row, all.size()));
  for (const VerifiedRow& row : verified_rows) {
    Random random = stream();
    add(verified_application(row, random));
  }
  for (std::size_t i = 0; i < further_periodic; ++i) {
    Random random = stream();
    add(periodic_application(random));
  }
  for (std::size_t i = 0; i < irregular_count + silent_count; ++i) {
    Random random = stream();
    Application app = usual_application(i, random);
    if (random.chance(static_cast<double>(irregular_count) / static_cast<double>(irregular_count + silent_count)))
      make_irregular(app, random);
    if (app.kind == Kind::irregular && variant.background != 1)
      app.period = static_cast<Millis>(static_cast<double>(app.period) / variant.background);
    add(std::move(app));
  }
  const auto newcomers = static_cast<std::size_t>(std::max(0.0, days - usual_days) * newcomers_a_day);
  for (std::size_t i = 0; i < newcomers; ++i) {
    Random random = stream();
    add(usual_application(irregular_count + silent_count + i, random));
  }
  if (variant.cases)
    for (Application& app : case_applications(all)) add(std::move(app));
  return all;
}

}  // namespace fathom::titan
