// SPDX-License-Identifier: Apache-2.0
#include "synth/batch_queue.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom {
namespace {

constexpr std::int64_t longest_patience = 8 * 3600;  // a job that waited this long stops others from passing it
constexpr std::size_t backfill_depth = 200;

}  // namespace

BatchQueue::BatchQueue(const JobMix& mix, Racks& racks, std::uint64_t seed, std::int64_t begin, double jobs_per_day)
    : mix_(mix), racks_(racks), random_(Random::stream(seed, 0xba7c)), jobs_per_day_(jobs_per_day), clock_(static_cast<double>(begin)) {
  submission_ = next_submission(begin);
}

/// People submit more by day than by night: a Poisson process thinned by the hour.
std::int64_t BatchQueue::next_submission(std::int64_t after) {
  const double swing = 0.5;
  clock_ = std::max(clock_, static_cast<double>(after));
  do {
    clock_ += random_.exponential(86400 / (jobs_per_day_ * (1 + swing)));
  } while (random_.uniform() * (1 + swing) > 1 + swing * std::sin((clock_ / 86400 - 0.35) * 2 * std::numbers::pi));
  return static_cast<std::int64_t>(clock_);
}

void BatchQueue::start_what_fits(std::int64_t now, std::vector<StartedJob>& started) {
  std::size_t looked = 0;
  for (auto job = waiting_.begin(); job != waiting_.end() && looked < backfill_depth; ++looked) {
    auto place = racks_.take(job->run.nodes);
    if (!place) {
      if (now - job->submit > longest_patience && job->run.nodes >= nodes_per_midplane) return;
      ++job;
      continue;
    }
    running_.push({now + job->run.seconds + 30, *place});  // the partition boots between jobs
    started.push_back({job->run, *std::move(place), job->submit, now});
    job = waiting_.erase(job);
  }
}

std::vector<StartedJob> BatchQueue::run_until(std::int64_t until) {
  std::vector<StartedJob> started;
  while (true) {
    const bool ends_first = !running_.empty() && running_.top().end <= submission_;
    const std::int64_t now = ends_first ? running_.top().end : submission_;
    if (now >= until) return started;
    if (ends_first) {
      racks_.free(running_.top().place);
      running_.pop();
    } else {
      waiting_.push_back({mix_.run(submitted_++), now});
      submission_ = next_submission(now);
    }
    start_what_fits(now, started);
  }
}

}  // namespace fathom
