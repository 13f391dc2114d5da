// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_traffic.h"

#include <algorithm>

namespace fathom::quayside {

void Traffic::add(std::uint32_t job, std::uint32_t ost, const Flow& flow) {
  Counters before{};
  for (std::int64_t at = std::max<std::int64_t>(0, step_of(flow.begin)); at < steps_; ++at) {
    const Counters until = flow.until(reading_time(at + 1));
    Amounts amounts{};
    for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] = until[i] - before[i];
    if (amounts != Amounts{}) add(job, ost, at, amounts);
    if (reading_time(at + 1) >= flow.end) return;
    before = until;
  }
}

}  // namespace fathom::quayside
