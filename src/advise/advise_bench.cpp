// SPDX-License-Identifier: Apache-2.0
// advise_bench [SERVERS [RUNNING_JOBS]]: how long the load table and one recommendation take.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "advise/advisor.h"
#include "base/own_use.h"
#include "base/random.h"

namespace fathom::advise {
namespace {

KnownApplication made_application(Random& random, double servers) {
  KnownPattern pattern;
  pattern.filesystem = random.chance(0.5) ? "atlas1" : "atlas2";
  pattern.period_seconds = random.uniform(100, 900);
  pattern.burst_seconds = pattern.period_seconds * random.uniform(0.05, 0.4);
  pattern.footprint = random.uniform(4, servers / 2);
  pattern.mean_throughput = pattern.footprint * random.uniform(40e6, 90e6);
  pattern.burst_bytes = pattern.mean_throughput * pattern.burst_seconds;
  pattern.io_to_compute = pattern.burst_seconds / (pattern.period_seconds - pattern.burst_seconds);
  return {"u", "n", 1, {pattern}, random.uniform(600, 9000)};
}

int measure(std::size_t servers, std::size_t running) {
  Random random(1);
  std::vector<Partition> partitions{{"atlas1", {}}, {"atlas2", {}}};
  for (std::uint32_t i = 0; i < servers; ++i) partitions[i * 2 / servers].servers.push_back(i);
  auto advisor = Advisor::make(built_in_training(), partitions, servers, {}, 10);
  if (!advisor) return fmt::print(stderr, "advise_bench: {}\n", advisor.error().message), 1;
  std::vector<double> throughput(servers);
  std::vector<double> updates;
  for (int slot = 0; slot < 1000; ++slot) {
    for (double& each : throughput) each = random.chance(0.7) ? random.uniform(0, 5e6) : random.uniform(0, 460e6);
    const double begin = processor_seconds();
    advisor->add_slot(throughput);
    updates.push_back(processor_seconds() - begin);
  }
  // Every job is new or about to end, so that each has to be put in or taken out.
  for (std::size_t job = 0; job < running; ++job)
    advisor->job_started(job, made_application(random, static_cast<double>(servers)), random.uniform(-1100, 0), random.uniform(100, 1200));
  std::vector<KnownApplication> asked;
  for (int i = 0; i < 200; ++i) asked.push_back(made_application(random, static_cast<double>(servers)));
  std::vector<double> alone;
  std::size_t delays = 0;
  for (int i = 0; i < 200; ++i) {  // each at a time of its own: nothing can be used again
    const double begin = processor_seconds();
    delays += advisor->recommend(&asked[static_cast<std::size_t>(i)], 0.01 * i, 0).verdict == Verdict::delay;
    alone.push_back(processor_seconds() - begin);
  }
  // Sustained: a thousand jobs are asked about at each scheduling event.
  const double begin = processor_seconds();
  constexpr int events = 5, jobs = 1000;
  for (int event = 0; event < events; ++event)
    for (int i = 0; i < jobs; ++i)
      delays += advisor->recommend(&asked[static_cast<std::size_t>(i % 200)], 10.0 + event, 0).verdict == Verdict::delay;
  const double sustained = events * jobs / (processor_seconds() - begin);
  std::sort(updates.begin(), updates.end());
  std::sort(alone.begin(), alone.end());
  fmt::print(
      "servers {} running {} update_ms_median {:.4f} update_ms_p99 {:.4f} recommendation_ms_median {:.4f} recommendation_ms_most {:.4f} "
      "recommendations_per_second {:.0f} delays {}\n",
      servers, running, updates[500] * 1e3, updates[989] * 1e3, alone[100] * 1e3, alone.back() * 1e3, sustained, delays);
  return 0;
}

}  // namespace
}  // namespace fathom::advise

int main(int argc, char** argv) {
  const auto number = [&](int i, double otherwise) { return argc > i ? std::strtod(argv[i], nullptr) : otherwise; };
  const double servers = number(1, 1008), running = number(2, 68);
  if (!(servers >= 2 && servers < 1e6) || !(running >= 0 && running < 1e5))
    return fmt::print(stderr, "usage: advise_bench [SERVERS [RUNNING_JOBS]]\n"), 2;
  return fathom::advise::measure(static_cast<std::size_t>(servers), static_cast<std::size_t>(running));
}
