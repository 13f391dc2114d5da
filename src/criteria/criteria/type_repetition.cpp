// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion type_repetition;
constinit const Criterion type_repetition{
    .id = "2.11",
    .name = "type_repetition",
    .title = "Repetition of the dominating type",
    .symbol = "n(lag)",
    .question = "Does it read and write in a rhythm?",
    .formula =
        R"(n_x(lag) = slots t with the same dominating type x at t and t + lag; yes with a period if one lag stands out, by a named test; a constant series does not repeat (D Eq. 3.58).)",
    .needs = needs_operations,
    .caveats = R"(Sampling can show a rhythm that is not there or hide one; periods below twice the sampling step are refused.)",
    .columns = {}};
}  // namespace fathom::criteria
