// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion libraries;
constinit const Criterion libraries{.id = "4.2",
                                    .name = "libraries",
                                    .title = "Libraries and interfaces",
                                    .symbol = "",
                                    .question = "By which libraries and interfaces does it do I/O?",
                                    .formula = R"(Declared, or measured by a trace: the interfaces that were called (D appendix A).)",
                                    .needs = needs_declaration,
                                    .caveats = R"(Only what is used can be improved: better collective I/O helps who uses MPI-IO.)",
                                    .columns = {}};
}  // namespace fathom::criteria
