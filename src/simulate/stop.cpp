// SPDX-License-Identifier: Apache-2.0
// What is left of a run that is stopped before its end.
#include "simulate/engine_state.h"

namespace fathom::simulate {

/// A job is finished on a node when its end was reached there and none of its I/O is under way.
Outcome Engine::stop() {
  outcome_.stopped = true;
  outcome_.end = now_;
  for (ShareOutcome& share : outcome_.shares) share.finished = false;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    IoNode& node = nodes_[n];
    const std::vector<Step>& steps = work_.nodes[n].steps;
    outcome_.nodes[n].finished = node.step == steps.size() && node.idle();
    for (std::size_t i = 0; i < node.step; ++i)
      if (steps[i].what == Step::What::job_end) outcome_.shares[steps[i].share].finished = true;
    for (std::size_t i = 0; i < node.batches.size(); ++i)
      if (node.batches[i].share != no_share) outcome_.shares[node.batches[i].share].finished = false;
    if (node.timed_left > 0 && work_.nodes[n].timed_share != no_share) outcome_.shares[work_.nodes[n].timed_share].finished = false;
  }
  return std::move(outcome_);
}

}  // namespace fathom::simulate
