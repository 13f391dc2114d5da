// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/random.h"
#include "base/time.h"

namespace fathom::quayside {
namespace {

constexpr Application applications[] = {
    {"oc12", "tidal", 4, Kind::checkpoint}, {"cl03", "climate", 16, Kind::periodic}, {"ge21", "genome", 8, Kind::reader},
    {"vis07", "render", 6, Kind::writer},   {"qcd02", "lattice", 24, Kind::silent},  {"oc31", "postproc", 2, Kind::reader},
};

Micros whole_seconds(double seconds) { return static_cast<Micros>(seconds) * second; }

/// Nodes in a row that nobody has from start to end; none where there is no room.
std::optional<std::uint32_t> place(const std::vector<PlannedJob>& jobs, const PlannedJob& job) {
  for (std::uint32_t first = 0; first + job.application->nodes <= node_count; ++first) {
    const bool is_free = std::none_of(jobs.begin(), jobs.end(), [&](const PlannedJob& other) {
      return other.start < job.end && job.start < other.end && other.first_node < first + job.application->nodes &&
             first < other.first_node + other.application->nodes;
    });
    if (is_free) return first;
  }
  return std::nullopt;
}

/// Adds bursts until `end`, about `gap` apart and varying by `jitter`.
void add_bursts(PlannedJob& job, Random& random, Burst like, double gap, double jitter) {
  like.first_ost = static_cast<std::uint32_t>(random.whole(0, ost_count - 1));  // all files of a job lie on the same OSTs
  const Micros seconds = (job.end - job.start) / second;
  for (double at = random.uniform(0.3, 0.9) * gap; at + 60 < static_cast<double>(seconds);
       at += std::max(0.2 * gap, gap * (1 + jitter * random.normal()))) {
    Burst burst = like;
    burst.begin = job.start + static_cast<Micros>(at * 1e6);
    const double size = random.lognormal(1, jitter);
    burst.bytes = static_cast<std::uint64_t>(static_cast<double>(like.bytes) * size);
    burst.length = static_cast<Micros>(static_cast<double>(like.length) * size * random.uniform(0.95, 1.05));
    job.bursts.push_back(burst);
  }
}

void plan_checkpoints(PlannedJob& job, Random& random) {
  const auto count = random.whole(5, 8);
  const auto first_ost = static_cast<std::uint32_t>(random.whole(0, ost_count - 1));
  double at = 30 + 240 * random.uniform(0.4, 0.6);
  for (std::int64_t i = 0; i < count; ++i, at += 240 * (1 + 0.01 * random.normal())) {
    Burst burst;
    burst.begin = job.start + static_cast<Micros>(at * 1e6);
    burst.first_ost = first_ost;
    job.bursts.push_back(burst);
  }
  job.end = job.bursts.back().begin / second * second + whole_seconds(random.uniform(70, 100));
}

void plan_io(PlannedJob& job, Random& random) {
  switch (job.application->kind) {
    case Kind::checkpoint: return plan_checkpoints(job, random);
    case Kind::periodic:
      return add_bursts(job, random, {.length = 22 * second, .bytes = 30'000 * mib, .request_bytes = 4 * mib, .osts = ost_count}, 870,
                        0.02);
    case Kind::reader:
      return add_bursts(job, random, {.length = 50 * second, .bytes = 3'000 * mib, .request_bytes = 512 * kib, .osts = 4, .reads = true},
                        420, 0.45);
    case Kind::writer:
      return add_bursts(job, random, {.length = 25 * second, .bytes = 4'000 * mib, .request_bytes = 1 * mib, .osts = 3}, 520, 0.5);
    case Kind::silent: return;
  }
}

struct Rhythm {
  double every;              // seconds from start to start
  double shortest, longest;  // of a run; a checkpoint writer runs as long as its checkpoints take
};

Rhythm rhythm_of(Kind kind) {
  switch (kind) {
    case Kind::checkpoint: return {3200, 0, 0};
    case Kind::periodic: return {11'000, 9000, 10'000};
    case Kind::reader: return {2900, 1500, 5000};
    case Kind::writer: return {3600, 1200, 4800};
    case Kind::silent: break;
  }
  return {5200, 3000, 9000};
}

/// Leaves `wanted` of them, evenly over the log.
void thin_out(std::vector<PlannedJob>& jobs, std::uint64_t wanted) {
  std::vector<PlannedJob> left;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if ((i + 1) * wanted / jobs.size() > i * wanted / jobs.size()) left.push_back(std::move(jobs[i]));
  jobs = std::move(left);
}

void trace_one(std::vector<PlannedJob>& jobs) {
  std::vector<PlannedJob*> runs;
  for (PlannedJob& job : jobs)
    if (job.application->kind == Kind::checkpoint) runs.push_back(&job);
  if (!runs.empty()) runs[runs.size() / 2]->traced = true;
}

/// `2024-03-04T06:00:10`: sacct writes no zone.
std::string sacct_time(Micros t) {
  std::string text = format_iso8601(time_from_micros(t));
  text.pop_back();
  return text;
}

constexpr Micros time_limit = 3 * hour;

}  // namespace

std::string_view kind_name(Kind kind) {
  static constexpr std::string_view names[] = {"checkpoint", "periodic", "reader", "writer", "silent"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<PlannedJob> plan(const SynthOptions& options) {
  const Micros length = reading_time(reading_count(options.days.value_or(default_days))) - log_start;
  std::vector<PlannedJob> all;
  for (std::size_t a = 0; a < std::size(applications); ++a) {
    const Application& application = applications[a];
    Random random = Random::stream(options.seed, 100 + a);
    const Rhythm rhythm = rhythm_of(application.kind);
    for (double at = random.uniform(0.1, 0.4) * rhythm.every; at * 1e6 < static_cast<double>(length);
         at += rhythm.every * random.uniform(0.85, 1.15)) {
      PlannedJob job;
      job.application = &application;
      job.seed = random.next();
      job.start = log_start + whole_seconds(at);
      job.submit = job.start - whole_seconds(random.exponential(200));
      job.end = job.start + whole_seconds(random.uniform(rhythm.shortest, rhythm.longest));
      plan_io(job, random);
      all.push_back(std::move(job));
    }
  }
  std::sort(all.begin(), all.end(), [](const PlannedJob& a, const PlannedJob& b) {
    return a.start != b.start ? a.start < b.start : a.application < b.application;
  });
  std::vector<PlannedJob> jobs;
  for (PlannedJob& job : all) {
    const auto first = place(jobs, job);
    if (!first) continue;
    job.first_node = *first;
    jobs.push_back(std::move(job));
  }
  if (options.jobs && *options.jobs < jobs.size()) thin_out(jobs, *options.jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = 50'201 + 3 * i;
  trace_one(jobs);
  return jobs;
}

void move(const PlannedJob& job, std::uint32_t number, Traffic& traffic) {
  if (job.application->kind == Kind::checkpoint) return;
  for (const Burst& burst : job.bursts)
    for (std::uint32_t i = 0; i < burst.osts; ++i) {
      Flow flow;
      flow.begin = burst.begin;
      flow.end = std::min(burst.begin + burst.length, job.end);
      flow.bytes = burst.reads ? Counter::read_bytes : Counter::write_bytes;
      flow.requests = burst.bytes / burst.osts / burst.request_bytes;
      flow.request_bytes = burst.request_bytes;
      traffic.add(number, (burst.first_ost + i) % ost_count, flow);
    }
}

void add_background(std::uint64_t seed, Traffic& traffic) {
  constexpr Micros step_seconds = step / second;
  const Micros end = reading_time(traffic.steps());
  for (std::uint32_t ost = 0; ost < ost_count; ++ost)
    for (const bool reads : {true, false}) {
      Random random = Random::stream(seed, 1000 + 2 * ost + (reads ? 1 : 0));
      double wander = 0;  // log of the level around its mean
      for (Micros t = log_start; t < end; t += step) {
        wander = 0.98 * wander + 0.1 * random.normal();
        const double bytes = (reads ? 0.2e6 : 0.3e6) * std::exp(wander + 0.25 * random.normal()) * static_cast<double>(step_seconds);
        const auto requests = static_cast<std::uint64_t>(bytes / (128.0 * kib));
        Amounts amounts{};
        amounts[reads ? 0 : 1] = requests * 128 * kib;
        amounts[reads ? 2 : 3] = requests;
        traffic.add(traffic.nobody(), ost, step_of(t), amounts);
      }
    }
  Random random = Random::stream(seed, 999);
  for (double at = 0; at * 1e6 < static_cast<double>(end - log_start); at += random.exponential(400)) {
    Flow flow;
    flow.begin = log_start + static_cast<Micros>(at * 1e6);
    const double rate = random.uniform(40e6, 200e6);
    const double seconds = random.uniform(10, 60);
    flow.end = flow.begin + static_cast<Micros>(seconds * 1e6);
    flow.bytes = random.chance(0.5) ? Counter::read_bytes : Counter::write_bytes;
    flow.request_bytes = 1 * mib;
    flow.requests = static_cast<std::uint64_t>(rate * seconds / static_cast<double>(mib));
    traffic.add(traffic.nobody(), static_cast<std::uint32_t>(random.whole(0, ost_count - 1)), flow);
  }
}

std::string node_list(const PlannedJob& job) {
  const std::uint32_t last = job.first_node + job.application->nodes - 1;
  return job.application->nodes == 1 ? node_name(job.first_node) : fmt::format("n[{:03}-{:03}]", job.first_node + 1, last + 1);
}

std::string sacct_line(const PlannedJob& job, Micros log_end) {
  const bool ended = job.ended(log_end);
  return fmt::format("{0}|{0}|{1}|{2}|batch|{3}|{4}|{5}|{6}|{7}|03:00:00|{8}\n", job.id, job.application->user, job.application->name,
                     ended ? "COMPLETED" : "RUNNING", job.application->nodes, sacct_time(job.submit), sacct_time(job.start),
                     ended ? sacct_time(job.end) : "Unknown", node_list(job));
}

Job as_job(const PlannedJob& job, Micros log_end) {
  Job made;
  made.id = fmt::format("{}", job.id);
  made.user = job.application->user;
  made.name = job.application->name;
  made.nodes = job.application->nodes;
  made.node_list = node_list(job);
  made.submit = time_from_micros(job.submit);
  made.start = time_from_micros(job.start);
  if (job.ended(log_end)) made.end = time_from_micros(job.end);
  made.time_limit = Duration{time_limit};
  made.state = job.ended(log_end) ? "COMPLETED" : "RUNNING";
  made.partition = "batch";
  return made;
}

}  // namespace fathom::quayside
