// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion spatial_pattern;
constinit const Criterion spatial_pattern{
    .id = "2.7",
    .name = "spatial_pattern",
    .title = "Spatial pattern",
    .symbol = "R_off",
    .question = "In what order does it walk through its files?",
    .formula =
        R"(Per process and open file, over consecutive requests of one type: contiguous, simple strided, nested strided, sequential or random (D Eqs. 3.50-3.53).)",
    .needs = needs_offsets | needs_processes,
    .caveats = R"(Only regular patterns can be prefetched. Counters know no offsets.)",
    .columns = {}};
}  // namespace fathom::criteria
