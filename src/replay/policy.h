// SPDX-License-Identifier: Apache-2.0
/// Who may be asked about every job that could start on the replayed machine, and sees what a site sees: counters, starts and ends.
#pragma once

#include <cstdint>
#include <span>

#include "synth/spider_workload.h"

namespace fathom::replay {

/// What one job did, known when it has ended.
struct JobRun {
  titan::Submission job;
  titan::Millis start = 0, end = 0;  // 0 as `end`: it has not ended
  bool completed = false;
  std::uint32_t bursts = 0;  // that came to their end
  double io_seconds = 0;     // of these
  double alone_seconds = 0;  // what the same bursts take when nobody is in the way

  double waited_seconds() const { return static_cast<double>(start - job.submit) / 1000; }
  /// I/O time against I/O time alone.
  double slowdown() const { return io_seconds / alone_seconds; }
};

class Policy {
 public:
  virtual ~Policy() = default;
  /// Asked at a scheduling event about a job whose turn it is and that fits. False: it stays in the queue.
  virtual bool may_start(const titan::Submission& /*job*/, titan::Millis /*now*/) { return true; }
  virtual void started(const titan::Submission& /*job*/, titan::Millis /*now*/) {}
  virtual void ended(const JobRun& /*run*/, titan::Millis /*now*/) {}
  /// The collector has read all OSTs: bytes of each in the step of 10 s that ends now.
  virtual void counters(titan::Millis /*now*/, std::span<const double> /*bytes*/) {}
};

}  // namespace fathom::replay
