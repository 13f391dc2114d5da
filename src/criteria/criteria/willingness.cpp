// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion willingness;
constinit const Criterion willingness{.id = "4.3",
                                      .name = "willingness",
                                      .title = "Willingness to change",
                                      .symbol = "",
                                      .question = "Can and will its I/O be changed?",
                                      .formula = R"(Declared (D appendix A).)",
                                      .needs = needs_declaration,
                                      .caveats = R"()",
                                      .columns = {}};
}  // namespace fathom::criteria
