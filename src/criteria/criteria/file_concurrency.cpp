// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion file_concurrency;
constinit const Criterion file_concurrency{
    .id = "3.4",
    .name = "file_concurrency",
    .title = "Concurrency on one file",
    .symbol = "A(f, t)",
    .question = "How many processes use one file at the same time?",
    .formula = R"(Per shared file and slot: processes accessing it / P (D Eqs. 3.63, 3.64).)",
    .needs = needs_offsets | needs_processes,
    .caveats = R"(Tells how much locks can cost: a file used by all at different times costs less than one used by all at once.)",
    .columns = {}};
}  // namespace fathom::criteria
