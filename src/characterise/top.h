// SPDX-License-Identifier: Apache-2.0
/// Who hammers the servers: what jobs, applications, users or servers moved in a stretch of time, and what nobody can be named for.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "store/store.h"
#include "timeline/stretch.h"

namespace fathom {

enum class TopBy : std::uint8_t { job, application, user, server };

struct TopOptions {
  Time from = no_time, to = no_time;  // neither: the busiest hour of the clock
  Duration last{0};                   // more than 0: so much before the end of the counters
  TopBy by = TopBy::job;
  unsigned threads = 0;  // 0: one per core
  std::function<void(double share)> progress = [](double) {};
};

/// Bytes and requests, read and written.
using MovedAmounts = std::array<double, flow_count>;
inline double bytes_of(const MovedAmounts& amounts) { return amounts[0] + amounts[1]; }
inline double ops_of(const MovedAmounts& amounts) { return amounts[2] + amounts[3]; }

/// One line of the answer; what does not apply to its kind is empty.
struct Mover {
  std::string job_id, user, name, server;
  std::uint64_t nodes = 0;
  std::uint64_t jobs = 0;     // that took part
  std::uint64_t servers = 0;  // that it used
  MovedAmounts moved{};
  CounterMask has = 0;  // what was counted of it; anything else is unknown, not 0
  double peak = 0;      // bytes per second in its highest slot
};

struct TopAnswer {
  Time from = no_time, to = no_time;
  bool busiest_hour = false;  // chosen here, not asked for
  Duration slot{0};           // of the peaks
  MovedAmounts total{};       // of all servers
  CounterMask has = 0;        // what any of them counted
  MovedAmounts of_jobs{};
  MovedAmounts nameless{};  // on servers that jobs share: it carries no job's name, or that of a job that is in no log
  MovedAmounts idle{};      // on servers that jobs have to themselves, while none had them
  std::uint64_t servers = 0, jobs = 0;
  std::vector<Mover> movers;  // most bytes first
};

Result<TopAnswer> find_top(const Snapshot& snapshot, const TopOptions& options);

}  // namespace fathom
