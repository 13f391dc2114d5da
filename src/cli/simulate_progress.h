// SPDX-License-Identifier: Apache-2.0
/// The bar of one or more simulations (simulated time, requests per second, time left), and their end by Ctrl-C.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>

#include "base/interrupt.h"
#include "base/progress.h"
#include "simulate/outcome.h"

namespace fathom {

/// Its watches may be called from several threads; each belongs to one run, or to several one after the other.
class SimulationProgress {
 public:
  explicit SimulationProgress(std::size_t runs) : runs_(runs) {}
  simulate::Watch watch();
  bool interrupted() const { return interrupt_.asked(); }

 private:
  struct Run {
    double share = 0;
    std::uint64_t before = 0, requests = 0;  // before: of runs that ended
  };
  bool tell(Run& run, const simulate::Moment& moment);

  const std::size_t runs_;
  Interrupt interrupt_;
  Progress bar_{"simulating", Progress::Unit::share};
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::deque<Run> known_;  // stays where it is when it grows
};

}  // namespace fathom
