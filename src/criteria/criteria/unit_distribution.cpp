// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion unit_distribution;
constinit const Criterion unit_distribution{
    .id = "3.3",
    .name = "unit_distribution",
    .title = "Distribution over units",
    .symbol = "",
    .question = "Is the work even among its units?",
    .formula = R"(Per unit: operations, bytes, opens, closes; and the largest, mean and smallest amount of a unit per slot (D Table 3.1).)",
    .needs = needs_bytes | needs_units,
    .caveats = R"(Units of counters are servers: what processes behind one server share is not seen.)",
    .columns = {}};
}  // namespace fathom::criteria
