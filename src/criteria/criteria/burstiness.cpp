// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double burstiness_of(const Measured& job, const Setting& setting, Direction x) {
  if (!rated(job, Counter::read_bytes, x)) return undefined;
  const Activity& a = activity(job, setting, x);
  if (a.busy_runs == 0) return 1;
  if (a.idle_runs == 0) return 0;
  const double with_io = static_cast<double>(a.busy) / static_cast<double>(a.busy_runs);
  const double without = static_cast<double>(a.idle) / static_cast<double>(a.idle_runs);
  return 1 - std::tanh(with_io / without);
}

constexpr CriterionColumn columns[] = {{"burstiness", Unit::fraction, true, burstiness_of}};

}  // namespace

extern const Criterion burstiness;
constinit const Criterion burstiness{
    .id = "2.9",
    .name = "burstiness",
    .title = "Burstiness",
    .symbol = "rho",
    .question = "Does its I/O come in bursts?",
    .formula =
        R"(rho = 1 - tanh(l_IO / l_noIO), l: mean length of runs with H = 1 and with H = 0; 0 if there is none without I/O, 1 if there is no I/O (D Eq. 3.56).)",
    .needs = needs_bytes,
    .caveats = R"(Near 1: short bursts with long pauses, what burst buffers, asynchronous writing and prefetching are for, the more so the
higher the I/O intensity. Averages over a sampling interval make it smaller than it was.)",
    .columns = columns};
}  // namespace fathom::criteria
