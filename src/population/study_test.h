// SPDX-License-Identifier: Apache-2.0
/// Populations made by hand, for tests.
#pragma once

#include <string>

#include "characterise/study.h"

namespace fathom {

/// A job as a test needs it: amounts, maxima, and how long it was active above every threshold.
struct HandMade {
  std::string id;
  double read_bytes = 0, write_bytes = 0, read_ops = 0, write_ops = 0;
  double read_bw = 0, write_bw = 0, read_iops = 0, write_iops = 0;  // maxima
  double read_active = 0, write_active = 0, active = 0;             // shares of its run time, in one run at its begin
  double opens = 0, closes = 0;
  std::uint32_t units = 2;
  bool has_inner = true;
};

inline Study hand_made_study(const std::vector<HandMade>& jobs, std::vector<std::uint64_t> thresholds = {0, 1 << 20},
                             std::vector<std::uint64_t> small = {4096, 1 << 20}) {
  Study study;
  study.options.thresholds = std::move(thresholds);
  study.options.small = std::move(small);
  study.options.distribution = true;
  for (const HandMade& made : jobs) {
    Job job;
    job.id = made.id;
    job.nodes = 512;
    job.start = time_from_micros(0);
    job.end = time_from_micros(7'200'000'000);
    study.analysis.jobs.push_back(static_cast<std::uint32_t>(study.machine.jobs.size()));
    study.machine.jobs.push_back(job);
    Measured m;
    m.end = 7'200'000'000;
    m.units = made.units;
    m.has = all_counters;
    m.coverage = 1;
    m.totals = {made.read_bytes, made.write_bytes, made.read_ops, made.write_ops, made.opens, made.closes, 0, 0, made.opens + made.closes};
    m.swept.inner.bytes = {made.read_bw, made.write_bw, made.read_bw + made.write_bw};
    m.swept.inner.ops = {made.read_iops, made.write_iops, made.read_iops + made.write_iops};
    m.swept.peaks = m.swept.inner;
    m.swept.inner_has = made.has_inner ? all_counters : CounterMask{0};
    for (std::size_t c = 0; c < study.options.thresholds.size(); ++c) {
      auto& activity = m.swept.activity.emplace_back();
      const std::array<double, 3> shares = {made.read_active, made.write_active, made.active};
      for (std::size_t d = 0; d < 3; ++d) {
        Activity& a = activity[d];
        a.busy = static_cast<std::int64_t>(shares[d] * 7'200'000'000);
        a.idle = m.end - a.busy;
        a.busy_runs = a.busy > 0;
        a.idle_runs = a.idle > 0;
        a.unit_busy = a.busy;  // one unit at a time
      }
    }
    m.swept.sizes.prepare(study.options.small.size(), true);
    for (std::size_t d = 0; d < 2; ++d)
      m.swept.sizes.add(d, static_cast<std::int64_t>(m.totals[d]), static_cast<std::int64_t>(m.totals[2 + d]), 1, study.options.small);
    m.swept.sized_bytes = {m.totals[0], m.totals[1]};
    study.analysis.measured.push_back(std::move(m));
  }
  return study;
}

}  // namespace fathom
