// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion pattern_repetition;
constinit const Criterion pattern_repetition{
    .id = "2.10",
    .name = "pattern_repetition",
    .title = "Repetition of access patterns",
    .symbol = "Delta",
    .question = "Does it access the same places again?",
    .formula =
        R"(The same sequence of offsets again: in the same file (caching helps) or in another file or process (prefetching helps), with its period in requests (D Eq. 3.57).)",
    .needs = needs_offsets | needs_processes,
    .caveats = R"(Needs the spatial pattern first.)",
    .columns = {}};
}  // namespace fathom::criteria
