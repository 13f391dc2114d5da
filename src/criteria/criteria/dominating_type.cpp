// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion dominating_type;
constinit const Criterion dominating_type{
    .id = "2.5",
    .name = "dominating_type",
    .title = "Dominating type over time",
    .symbol = "",
    .question = "When does it read, when does it write?",
    .formula =
        R"(Per slot: read or write if the other type's share of operations is below eps (default 0.1), mixed otherwise, none without operations (D Eqs. 3.42-3.46; the printed comparison is the wrong way round).)",
    .needs = needs_operations,
    .caveats =
        R"(A burst is worth more when its type is known: writes can be buffered, reads must be known in advance. Resolution is the sampling interval.)",
    .columns = {}};
}  // namespace fathom::criteria
