// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion purpose;
constinit const Criterion purpose{.id = "4.4",
                                  .name = "purpose",
                                  .title = "Purpose of its I/O",
                                  .symbol = "",
                                  .question = "What is the I/O for?",
                                  .formula = R"(Declared: compulsory, checkpoint, out-of-core or workflow (D appendix A).)",
                                  .needs = needs_declaration,
                                  .caveats = R"(Compulsory I/O can be improved, not avoided; out-of-core I/O shrinks with more memory.)",
                                  .columns = {}};
}  // namespace fathom::criteria
