// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion temporal_distribution;
constinit const Criterion temporal_distribution{
    .id = "2.8",
    .name = "temporal_distribution",
    .title = "Temporal distribution",
    .symbol = "S(t), N(t)",
    .question = "When does it do I/O, and how much?",
    .formula = R"(Bytes and operations per slot (D Eqs. 3.54, 3.55).)",
    .needs = needs_bytes | needs_operations,
    .caveats =
        R"(Height and width of a burst give bandwidth and size of a burst buffer that would hide it. Known to the sampling interval, not better.)",
    .columns = {}};
}  // namespace fathom::criteria
