// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion problem_size;
constinit const Criterion problem_size{
    .id = "4.1",
    .name = "problem_size",
    .title = "Problem size dependency",
    .symbol = "",
    .question = "How does its data grow with the problem?",
    .formula = R"(Declared: data volume as a function of the input parameters that set the problem size (D appendix A).)",
    .needs = needs_declaration,
    .caveats = R"()",
    .columns = {}};
}  // namespace fathom::criteria
