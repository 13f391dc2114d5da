// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_workload.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom::titan {

namespace {

constexpr std::uint64_t plan_streams = 0x200000000u;
constexpr std::uint64_t job_streams = 0x300000000u;
constexpr std::uint64_t arrival_stream = 0x400000001u;
/// AID's log has 181,969 jobs in five months: 1,200 a day.
constexpr double usual_jobs_per_day = 1150;
constexpr std::size_t longest_queue = 140;
constexpr double runs_of_a_week = 17;  // of a pseudo-application

/// `wanted` of `count` things, at random.
std::vector<bool> some_of(std::size_t count, std::size_t wanted, Random& random) {
  std::vector<bool> chosen(count, false);
  while (wanted > 0) {
    const auto i = static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(count) - 1));
    if (chosen[i]) continue;
    chosen[i] = true;
    --wanted;
  }
  return chosen;
}

constexpr Millis round_up(Millis t, Millis unit) { return (t + unit - 1) / unit * unit; }

}  // namespace

double daytime(Millis t) {
  const double hour_of_day = static_cast<double>(((t % day) + day) % day) / static_cast<double>(hour);
  return 1 + 0.45 * std::cos((hour_of_day - 20) / 24 * 2 * std::numbers::pi);  // most at 15:00 local time
}

Workload::Workload(const std::vector<Application>& apps, std::uint64_t seed, Millis span, std::optional<std::uint64_t> jobs,
                   std::size_t most_running)
    : apps_(apps),
      seed_(seed),
      span_(span),
      usually_running_(static_cast<double>(most_running) * 52 / 68),
      arrivals_(Random::stream(seed, arrival_stream)),
      arrivals_per_day_(usual_jobs_per_day) {
  const double weeks = static_cast<double>(span) / static_cast<double>(7 * day);
  double planned_runs = 0;
  for (const Application& app : apps) planned_runs += app.runs_per_week * weeks;
  double share = 1;
  if (jobs) {
    const auto wanted = static_cast<double>(*jobs);
    share = std::min(1.0, wanted / 2 / std::max(1.0, planned_runs));
    arrivals_per_day_ = (wanted - share * planned_runs) / (weeks * 7);
    follows_load_ = false;
  }
  for (std::uint32_t i = 0; i < apps.size(); ++i) {
    if (apps[i].runs_per_week > 0) {
      plan(i, share);
    } else if (!apps[i].host) {
      if (weights_.empty()) first_weighted_ = i;
      weights_.push_back((weights_.empty() ? 0 : weights_.back()) + apps[i].weight);
    }
  }
  std::sort(planned_.begin(), planned_.end(),
            [](const Planned& a, const Planned& b) { return a.t != b.t ? a.t < b.t : a.application < b.application; });
}

/// One run in each of equal slots, so that runs of one application seldom overlap; pseudo-applications leave time for the last to end.
void Workload::plan(std::uint32_t application, double share) {
  const Application& app = apps_[application];
  Random random = Random::stream(seed_, plan_streams + application);
  const double exact = app.runs_per_week * share * static_cast<double>(span_) / static_cast<double>(7 * day);
  const bool pseudo = app.kind == Kind::pseudo;
  const auto runs =
      static_cast<std::size_t>(pseudo ? std::ceil(exact) : std::floor(exact) + (random.chance(exact - std::floor(exact)) ? 1 : 0));
  const Millis first = pseudo ? 0 : -warm_up;
  const Millis last = pseudo ? span_ - std::min<Millis>(8 * hour, span_ / 3) : span_;

  const bool exactly = pseudo || app.exactly_off;
  std::size_t wanted_off = 0;
  if (pseudo) {  // 1 to 5 of the 17 runs of a week, and as many in every other week
    wanted_off = static_cast<std::size_t>(static_cast<double>(random.whole(1, 5)) * static_cast<double>(runs) / runs_of_a_week + 0.5);
    if (runs >= 15) wanted_off = std::max<std::size_t>(wanted_off, 1);
  } else if (exactly) {
    wanted_off = static_cast<std::size_t>(app.off_share * static_cast<double>(runs) + 0.5);
  }
  const std::vector<bool> off = some_of(runs, wanted_off, random);
  for (std::size_t i = 0; i < runs; ++i) {
    const double at = app.any_time ? random.uniform() : (static_cast<double>(i) + random.uniform(0.05, 0.7)) / static_cast<double>(runs);
    const bool io_off = exactly ? off[i] : random.chance(app.off_share);
    planned_.push_back({first + static_cast<Millis>(at * static_cast<double>(last - first)) / second * second, application, io_off});
  }
}

std::uint32_t Workload::any_application() {
  const double at = arrivals_.uniform() * weights_.back();
  return first_weighted_ + static_cast<std::uint32_t>(std::upper_bound(weights_.begin(), weights_.end(), at) - weights_.begin());
}

void Workload::submit(Millis from, Millis to, std::size_t running, std::size_t waiting, std::vector<Submission>& into) {
  for (; next_planned_ < planned_.size() && planned_[next_planned_].t < to; ++next_planned_) {
    const Planned& run = planned_[next_planned_];
    add(run.application, std::max(run.t, from), run.io_off, into);
  }
  double per_day = arrivals_per_day_;
  if (follows_load_) {
    per_day *= daytime(from) * std::clamp(1 + (usually_running_ - static_cast<double>(running)) / 10, 0.2, 4.0);
    if (waiting > longest_queue) per_day = 0;
    if (waiting < 20) per_day *= 2;
  }
  double left = static_cast<double>(to - from) - arrivals_.exponential(1) / std::max(per_day, 1e-9) * static_cast<double>(day);
  while (left > 0) {
    add(any_application(), (to - static_cast<Millis>(left)) / second * second, std::nullopt, into);
    left -= arrivals_.exponential(1) / per_day * static_cast<double>(day);
  }
}

void Workload::add(std::uint32_t application, Millis t, std::optional<bool> io_off, std::vector<Submission>& into) {
  if (!apps_[application].arrays) {
    into.push_back(draw(application, t, io_off));
    return;
  }
  const std::uint64_t array = next_id_;
  const auto tasks = static_cast<std::uint32_t>(arrivals_.whole(2, 5));
  for (std::uint32_t task = 1; task <= tasks; ++task) {
    Submission job = draw(application, t, io_off);
    job.array = array;
    job.task = task;
    into.push_back(job);
  }
}

Submission Workload::draw(std::uint32_t application, Millis t, std::optional<bool> io_off) {
  const Application& app = apps_[application];
  Submission job;
  job.id = next_id_++;
  job.application = application;
  job.submit = t;
  Random random = Random::stream(seed_, job_streams + job.id);
  job.io_off = io_off.value_or(app.kind != Kind::silent && random.chance(app.off_share));
  if (app.iterates()) {
    const std::uint32_t least = app.least_iterations, most = app.most_iterations;
    job.iterations = app.many_lengths
                         ? static_cast<std::uint32_t>(least * std::pow(static_cast<double>(most) / least, random.uniform()) + 0.5)
                         : static_cast<std::uint32_t>(random.whole(least, most));
    job.run_time = job.iterations * app.period;
  } else {
    job.run_time = random.whole(app.shortest_run, app.longest_run);
  }
  const double generous = app.kind == Kind::pseudo ? 2.2 : random.uniform(1.2, 2.5);
  job.limit = round_up(static_cast<Millis>(static_cast<double>(job.run_time) * generous) + 10 * minute, 5 * minute);
  if (!random.chance(app.trouble_share)) return job;

  const double which = random.uniform();
  if (which < 0.50) {
    job.outcome = Outcome::failed;
    job.cut = std::max<Millis>(3 * second, static_cast<Millis>(static_cast<double>(job.run_time) * std::pow(random.uniform(), 1.6)));
  } else if (which < 0.72) {
    job.outcome = Outcome::cancelled;
    job.cut = std::max<Millis>(3 * second, static_cast<Millis>(static_cast<double>(job.run_time) * random.uniform()));
  } else if (which < 0.88) {  // asked for too little
    job.limit = round_up(static_cast<Millis>(static_cast<double>(job.run_time) * random.uniform(0.5, 0.95)), minute);
  } else {
    job.outcome = Outcome::never_ran;
    job.cut = random.whole(60, 3 * 3600) * second;
  }
  return job;
}

}  // namespace fathom::titan
