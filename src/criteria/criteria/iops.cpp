// SPDX-License-Identifier: Apache-2.0
#include "criteria/rates.h"

namespace fathom::criteria {
namespace {

using Rates = Rate<Counter::read_ops, &Peaks::ops>;
constexpr CriterionColumn columns[] = {{"iops_max", Unit::operations_per_second, true, Rates::max},
                                       {"iops_max_inner", Unit::operations_per_second, true, Rates::max_inner},
                                       {"iops_mean", Unit::operations_per_second, true, Rates::mean}};

}  // namespace

extern const Criterion iops;
constinit const Criterion iops{
    .id = "1.4",
    .name = "iops",
    .title = "Operations per second",
    .symbol = "Gamma",
    .question = "How many requests a second does it make, at most and on average?",
    .formula =
        R"(max: largest amount in a slot / its length inside the job, summed over units; mean: the total / (t_end - t_start) (D Eqs. 3.23-3.28).)",
    .needs = needs_operations,
    .caveats = R"(As for bandwidth; and as for the number of operations, it depends on the layer. Bandwidth and operations per second are
tied by the request size: who is limited by operations gains from larger requests.)",
    .columns = columns};
}  // namespace fathom::criteria
