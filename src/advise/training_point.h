// SPDX-License-Identifier: Apache-2.0
/// What one training run teaches: the load it was started into, what kind of I/O it does, and how much longer its I/O took.
#pragma once

#include <vector>

namespace fathom::advise {

struct TrainingPoint {
  std::vector<double> load;  // fractions of time by band: mean over the m least loaded servers at its start, m being its footprint
  double throughput = 0;     // bytes per second of its bursts
  double io_to_compute = 0;
  double normalised = 1;  // I/O time / I/O time alone
};

}  // namespace fathom::advise
