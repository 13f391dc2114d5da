// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion task_dependency;
constinit const Criterion task_dependency{.id = "4.5",
                                          .name = "task_dependency",
                                          .title = "Task dependency",
                                          .symbol = "",
                                          .question = "Must computing wait for I/O?",
                                          .formula = R"(Declared: coupled, decoupled in space, or decoupled in time (D appendix A).)",
                                          .needs = needs_declaration,
                                          .caveats = R"()",
                                          .columns = {}};
}  // namespace fathom::criteria
