// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion concurrency;
constinit const Criterion concurrency{.id = "3.2",
                                      .name = "concurrency",
                                      .title = "Concurrency over time",
                                      .symbol = "pi(t)",
                                      .question = "How many units do I/O at the same time, and when?",
                                      .formula = R"(pi(t) = units above the threshold in a slot / U (D Eq. 3.59).)",
                                      .needs = needs_bytes | needs_units,
                                      .caveats = R"(As for parallel I/O intensity, of which it is the series.)",
                                      .columns = {}};
}  // namespace fathom::criteria
