// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion variable_sizes;
constinit const Criterion variable_sizes{
    .id = "2.3",
    .name = "variable_sizes",
    .title = "Variable and fixed request sizes",
    .symbol = "sigma(i)",
    .question = "Do requests have the same sizes in every run?",
    .formula = R"(The i-th request of a unit is fixed if its size is equal in all runs; the number of those that are not (D Eq. 3.37).)",
    .needs = needs_requests | needs_runs,
    .caveats =
        R"(Fixed sizes make repetition in time and space more likely, and adapting the storage easier. Input and problem size must be the same in all runs.)",
    .columns = {}};
}  // namespace fathom::criteria
