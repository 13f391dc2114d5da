// SPDX-License-Identifier: Apache-2.0
/// Run or delay for one job, from a store's counters and the jobs that run.
#pragma once

#include <string>

#include "advise/advisor.h"
#include "store_advice/known_applications.h"

namespace fathom {

struct AdviceQuestion {
  std::string user, name;
  std::uint32_t nodes = 0;
  Time at = no_time;             // as things were then; no_time: at the end of the counters
  Time delayed_since = no_time;  // the first `delay` for this job was given then
};

struct StoreAdvice {
  Time at = no_time;
  bool known = false;  // something is known of the application
  advise::Advice advice;
};

Result<StoreAdvice> ask_for_advice(const Snapshot& snapshot, const AdviceQuestion& question, const advise::Trained& trained,
                                   const advise::AdvisorSettings& settings, const FindApplication& find);

}  // namespace fathom
