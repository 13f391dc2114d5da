// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
extern const Criterion shared_files;
constinit const Criterion shared_files{
    .id = "2.6",
    .name = "shared_files",
    .title = "Task-local and shared files",
    .symbol = "A_f",
    .question = "Do processes have files of their own?",
    .formula = R"(A file is task-local if one process accesses it, shared if more do; A_f = accessing processes / P (D Eqs. 3.47-3.49).)",
    .needs = needs_offsets | needs_processes,
    .caveats = R"(Shared files suffer from locks, task-local ones from the number of files. Counters do not link opens to files.)",
    .columns = {}};
}  // namespace fathom::criteria
