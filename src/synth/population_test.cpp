// SPDX-License-Identifier: Apache-2.0
// Long runs of the job mix, sampled every 120 s and evaluated one by one with a plain second-by-second reading of the criteria
// (1.1-1.4, 1.6, 2.4, 2.9, 3.1), against what was published about JUGENE. The reference is slow on purpose and shares no code
// with any criteria engine. Sources: "P" is the paper's sections V and VI, "D" the dissertation's section 4.5.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "synth/gpfs_node.h"
#include "synth/io_phases.h"
#include "synth/job_mix.h"

namespace fathom {
namespace {

constexpr double mib = 1024.0 * 1024, gib = 1024 * mib;
constexpr std::array thresholds = {0.0, 1024.0, 128 * 1024.0, mib};
enum Direction { reading = 0, writing = 1 };

struct Activity {
  double intensity, burstiness, parallel;  // parallel < 0: not applicable
};

struct Evaluated {
  std::uint64_t nodes;
  double hours;
  std::array<double, 2> bytes{}, ops{}, bw_max{};
  std::array<std::array<Activity, thresholds.size()>, 2> activity{};
};

/// Bytes of one server in each second of the job; `inner` from increments wholly inside it.
struct Seconds {
  std::vector<double> all, inner;
};

struct ServerSeconds {
  std::array<Seconds, 2> of;
};

/// Spreads an increment evenly over the part of it that lies in the job (seconds since its start).
void spread(std::vector<double>& seconds, double from, double to, double amount) {
  for (auto slot = static_cast<std::size_t>(from); slot < seconds.size() && static_cast<double>(slot) < to; ++slot) {
    const double part = std::min(to, static_cast<double>(slot) + 1) - std::max(from, static_cast<double>(slot));
    seconds[slot] += amount * part / (to - from);
  }
}

/// What samples about every 120 s see of one server's flows, with a phase of its own.
ServerSeconds sampled(const std::vector<Flow>& flows, std::uint16_t server, std::int64_t start, std::int64_t length, std::int64_t phase,
                      Random& random) {
  ServerSeconds seen;
  for (Seconds& seconds : seen.of)
    seconds.all.assign(static_cast<std::size_t>(length), 0), seconds.inner.assign(static_cast<std::size_t>(length), 0);
  std::vector<const Flow*> own;
  for (const Flow& flow : flows)
    if (flow.server == server) own.push_back(&flow);
  const std::int64_t end = start + length * 1'000'000;
  std::int64_t t = start - 1 - phase;
  std::size_t first = 0;
  while (t < end) {
    const std::int64_t next = t + 120'000'000 + random.whole(-300'000, 300'000);
    Counters amounts{};
    while (first < own.size() && own[first]->end <= t) ++first;
    for (std::size_t i = first; i < own.size() && own[i]->begin < next; ++i) {
      if (own[i]->end <= t) continue;
      add_to(amounts, own[i]->until(next));
      take_from(amounts, own[i]->until(t));
    }
    const double from = static_cast<double>(std::max(t, start) - start) / 1e6, to = static_cast<double>(std::min(next, end) - start) / 1e6;
    for (const Direction x : {reading, writing}) {
      const auto amount = static_cast<double>(amounts[x]);
      if (amount == 0) continue;
      spread(seen.of[x].all, from, to, amount);
      if (t >= start && next <= end) spread(seen.of[x].inner, from, to, amount);
    }
    t = next;
  }
  return seen;
}

Activity activity(const std::vector<std::uint16_t>& active_units, std::size_t units) {
  double busy = 0, sum = 0, runs_busy = 0, runs_idle = 0;
  for (std::size_t slot = 0; slot < active_units.size(); ++slot) {
    const bool is_busy = active_units[slot] > 0;
    busy += is_busy;
    sum += static_cast<double>(active_units[slot]) / static_cast<double>(units);
    if (slot == 0 || is_busy != (active_units[slot - 1] > 0)) (is_busy ? runs_busy : runs_idle) += 1;
  }
  const auto length = static_cast<double>(active_units.size());
  const double l_io = runs_busy > 0 ? busy / runs_busy : 0, l_none = runs_idle > 0 ? (length - busy) / runs_idle : 0;
  const double rho = l_io == 0 ? 1 : l_none == 0 ? 0 : 1 - std::tanh(l_io / l_none);
  const auto u = static_cast<double>(units);
  const double parallel = units == 1 ? -1 : busy == 0 ? 0 : (u * sum / busy - 1) / (u - 1);
  return {busy / length, rho, parallel};
}

/// Any midplane will do, four I/O nodes each.
std::int64_t phase_of(std::uint64_t run, std::uint16_t server) { return sampling_phase(run, server / 4u, server); }

Evaluated evaluate(const Run& run, std::uint64_t seed) {
  const std::int64_t start = 1272844800'000'000;
  const auto units = static_cast<std::uint16_t>(run.nodes < 512 ? run.nodes / 32 : run.nodes / 128);
  const std::vector<Flow> flows = io_of(run, 0, start, units, 3, seed);
  Evaluated job{.nodes = run.nodes, .hours = static_cast<double>(run.seconds) / 3600};
  for (const Flow& flow : flows) {
    const Counters all = flow.until(flow.end);
    for (const Direction x : {reading, writing}) job.bytes[x] += static_cast<double>(all[x]), job.ops[x] += static_cast<double>(all[2 + x]);
  }
  Random random = Random::stream(seed, run.number);
  std::array<std::array<std::vector<std::uint16_t>, thresholds.size()>, 2> active;
  std::array<std::vector<double>, 2> inner;
  const auto slots = static_cast<std::size_t>(run.seconds);
  for (const Direction x : {reading, writing}) {
    inner[x].assign(slots, 0);
    for (auto& one : active[x]) one.assign(slots, 0);
  }
  for (std::uint16_t server = 0; server < units; ++server) {
    const ServerSeconds seen = sampled(flows, server, start, run.seconds, phase_of(run.number, server), random);
    for (const Direction x : {reading, writing}) {
      for (std::size_t slot = 0; slot < slots; ++slot) {
        inner[x][slot] += seen.of[x].inner[slot];
        for (std::size_t c = 0; c < thresholds.size(); ++c)
          active[x][c][slot] = static_cast<std::uint16_t>(active[x][c][slot] + (seen.of[x].all[slot] > thresholds[c]));
      }
    }
  }
  for (const Direction x : {reading, writing}) {
    job.bw_max[x] = *std::max_element(inner[x].begin(), inner[x].end());
    for (std::size_t c = 0; c < thresholds.size(); ++c) job.activity[x][c] = activity(active[x][c], units);
  }
  return job;
}

std::vector<Evaluated> population(const Workload& workload, std::uint64_t seed, std::size_t jobs) {
  const JobMix mix(seed, workload);
  std::vector<Evaluated> found;
  for (std::uint64_t number = 0; found.size() < jobs; ++number) {
    const Run run = mix.run(number);
    if (run.seconds >= 3600) found.push_back(evaluate(run, seed));
  }
  return found;
}

using Values = std::vector<double>;

template <class Of>
Values values(const std::vector<Evaluated>& jobs, Of&& of) {
  Values all;
  for (const Evaluated& job : jobs) all.push_back(of(job));
  return all;
}

double value80(Values all) {
  std::sort(all.begin(), all.end());
  return all[static_cast<std::size_t>(std::ceil(0.8 * static_cast<double>(all.size()))) - 1];
}

double top_share(Values all) {
  std::sort(all.begin(), all.end(), std::greater<>());
  const auto top = static_cast<std::ptrdiff_t>(std::ceil(0.2 * static_cast<double>(all.size())));
  return std::accumulate(all.begin(), all.begin() + top, 0.0) / std::accumulate(all.begin(), all.end(), 0.0);
}

template <class Is>
double share(const std::vector<Evaluated>& jobs, Is&& is) {
  return static_cast<double>(std::count_if(jobs.begin(), jobs.end(), is)) / static_cast<double>(jobs.size());
}

struct Row {
  std::string what;
  double paper, ours, tolerance;  // absolute
  bool met() const { return std::abs(ours - paper) <= tolerance; }
};

std::vector<Row> compare(const std::vector<Evaluated>& jobs) {
  std::vector<Row> rows;
  const auto points = [&](std::string what, double paper, double ours) { rows.push_back({std::move(what), paper, ours, 0.03}); };
  const auto quarter = [&](std::string what, double paper, double ours) { rows.push_back({std::move(what), paper, ours, 0.25 * paper}); };
  const auto sum = [&](auto of) {
    const Values all = values(jobs, of);
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  points("share of jobs on 512 nodes", 0.68, share(jobs, [](const Evaluated& job) { return job.nodes == 512; }));
  points("share of jobs on 1024 nodes", 0.21, share(jobs, [](const Evaluated& job) { return job.nodes == 1024; }));
  quarter("80% of jobs run at most (h)", 5.82, value80(values(jobs, [](const Evaluated& job) { return job.hours; })));
  const std::array names = {"read", "written"};
  const std::array volume80 = {12.7, 15.3}, top = {0.976, 0.977}, bw80 = {84.0, 19.0};
  for (const Direction x : {reading, writing}) {
    quarter(fmt::format("80%: GiB {} at most", names[x]), volume80[x],
            value80(values(jobs, [&](const Evaluated& job) { return job.bytes[x] / gib; })));
    points(fmt::format("top 20%: share of bytes {}", names[x]), top[x],
           top_share(values(jobs, [&](const Evaluated& job) { return job.bytes[x]; })));
    quarter(fmt::format("80%: maximum MiB/s {} at most", names[x]), bw80[x],
            value80(values(jobs, [&](const Evaluated& job) { return job.bw_max[x] / mib; })));
  }
  const double ops_r = sum([](const Evaluated&job) { return job.ops[reading]; }),
               ops_w = sum([](const Evaluated&job) { return job.ops[writing]; });
  const double bytes_r = sum([](const Evaluated&job) { return job.bytes[reading]; }),
               bytes_w = sum([](const Evaluated&job) { return job.bytes[writing]; });
  points("writes among commands", 0.59, ops_w / (ops_r + ops_w));
  points("reads among bytes", 0.55, bytes_r / (bytes_r + bytes_w));
  struct Cell {
    std::size_t c;
    const char* name;
    std::array<double, 2> intensity, burstiness, parallel;
  };
  const std::array table2 = {Cell{0, "0", {0.28, 1.0}, {0.99, 0.0}, {0.91, 1.0}},
                             Cell{2, "128 KiB", {0.15, 0.34}, {0.99, 1.0}, {0.88, 0.28}},
                             Cell{3, "1 MiB", {0.05, 0.12}, {1.0, 1.0}, {0.84, 0.27}}};
  for (const Cell& cell : table2) {
    for (const Direction x : {reading, writing}) {
      const auto row = [&](const char* what, double paper, auto member) {
        Values all = values(jobs, [&](const Evaluated& job) { return job.activity[x][cell.c].*member; });
        std::erase_if(all, [](double value) { return value < 0; });
        rows.push_back({fmt::format("80%: {} of {} above {}", what, x == reading ? "reads" : "writes", cell.name), paper,
                        value80(std::move(all)), 0.07});
      };
      row("I/O intensity", cell.intensity[x], &Activity::intensity);
      row("burstiness", cell.burstiness[x], &Activity::burstiness);
      row("parallel I/O intensity", cell.parallel[x], &Activity::parallel);
    }
  }
  points("share of jobs that write all the time", 0.99,
         share(jobs, [](const Evaluated& job) { return job.activity[writing][0].intensity > 0.9999; }));
  points("share with no parallel write above 1 KiB", 0.64,
         share(jobs, [](const Evaluated& job) { return job.activity[writing][1].parallel < 1e-3; }));
  points("share with no parallel read above 1 KiB", 0.016,
         share(jobs, [](const Evaluated& job) { return job.activity[reading][1].parallel < 1e-3; }));
  points("share with read burstiness above 0.8", 0.75,
         share(jobs, [](const Evaluated& job) { return job.activity[reading][0].burstiness > 0.8; }));
  return rows;
}

TEST(Population, IsLikeThePublishedOne) {
  const std::vector<Row> rows = compare(population(Workload{}, 1, 5000));
  for (const Row& row : rows) {
    fmt::print("{:<58}{:>9.3f}{:>9.3f}  +-{:.3f}{}\n", row.what, row.paper, row.ours, row.tolerance, row.met() ? "" : "  <<<");
    EXPECT_TRUE(row.met()) << row.what;
  }
}

}  // namespace
}  // namespace fathom
