// SPDX-License-Identifier: Apache-2.0
/// What users of the preset `spider` submit, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "synth/spider_applications.h"

namespace fathom::titan {

/// How a run is meant to end; meeting the time limit is a matter of how long it then takes.
enum class Outcome : std::uint8_t { completed, failed, cancelled, never_ran };

struct Submission {
  std::uint64_t id = 0;     // JobIDRaw
  std::uint64_t array = 0;  // the array's id, 0 for an ordinary job
  std::uint32_t task = 0;
  std::uint32_t application = 0;
  std::uint64_t host = 0;  // piggy_back: the job that it was submitted to run beside
  Millis submit = 0;
  Millis limit = 0;
  Outcome outcome = Outcome::completed;
  Millis cut = 0;  // failed, cancelled: so long after the start; never ran: so long after submission
  bool io_off = false;
  std::uint32_t iterations = 0;
  Millis run_time = 0;  // of applications that do not iterate
};

class Workload {
 public:
  /// `jobs`: about how many to submit in `span`; by default enough to keep the machine full, which runs `most_running` at a time.
  Workload(const std::vector<Application>& apps, std::uint64_t seed, Millis span, std::optional<std::uint64_t> jobs,
           std::size_t most_running = most_running_jobs);

  /// Appends what is submitted in [from, to). Users see how full the machine is.
  void submit(Millis from, Millis to, std::size_t running, std::size_t waiting, std::vector<Submission>& into);
  /// One run, submitted at `t`.
  Submission draw(std::uint32_t application, Millis t, std::optional<bool> io_off);

 private:
  struct Planned {
    Millis t;
    std::uint32_t application;
    bool io_off;
  };
  void plan(std::uint32_t application, double share);
  void add(std::uint32_t application, Millis t, std::optional<bool> io_off, std::vector<Submission>& into);
  std::uint32_t any_application();

  const std::vector<Application>& apps_;
  std::uint64_t seed_;
  Millis span_;
  double usually_running_;
  Random arrivals_;
  std::vector<Planned> planned_;  // in order of time
  std::size_t next_planned_ = 0;
  std::vector<double> weights_;  // cumulative, of the applications without planned runs
  std::uint32_t first_weighted_ = 0;
  double arrivals_per_day_ = 0;
  bool follows_load_ = true;
  std::uint64_t next_id_ = 4'103'947;
};

/// How busy people are at that time of day: 1 on average, least at night in Tennessee (UTC - 5).
double daytime(Millis t);

}  // namespace fathom::titan
