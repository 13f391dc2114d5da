// SPDX-License-Identifier: Apache-2.0
#include "criteria/rates.h"

namespace fathom::criteria {
namespace {

using Rates = Rate<Counter::read_bytes, &Peaks::bytes>;
constexpr CriterionColumn columns[] = {{"bw_max", Unit::bytes_per_second, true, Rates::max},
                                       {"bw_max_inner", Unit::bytes_per_second, true, Rates::max_inner},
                                       {"bw_mean", Unit::bytes_per_second, true, Rates::mean}};

}  // namespace

extern const Criterion bandwidth;
constinit const Criterion bandwidth{
    .id = "1.3",
    .name = "bandwidth",
    .title = "Bandwidth",
    .symbol = "B",
    .question = "How hard does it drive the storage, at most and on average?",
    .formula =
        R"(max: largest amount in a slot / its length inside the job, summed over units; mean: the total / (t_end - t_start) (D Eqs. 3.15-3.20).
The analysis map of a job also has both of one unit: of the one that was fastest in a slot, and of the one that moved most.)",
    .needs = needs_bytes,
    .caveats = R"(A maximum is an average over the sampling interval: the true one may be higher. It is physically limited by the system; a
value above the machine's peak points to buffering or to a wrong link. `max` squeezes an increment that reaches beyond the
job into the part inside it, which can fake a peak: `max_inner` leaves those increments out. Means are robust.)",
    .columns = columns};
}  // namespace fathom::criteria
