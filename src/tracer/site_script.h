// SPDX-License-Identifier: Apache-2.0
/// Scripts that Slurm runs around a task, with the task's own environment: they are the site's, not the program's.
#pragma once

namespace fathom::trace {

/// Whether this process is a TaskProlog or TaskEpilog (or one that the user gave to srun).
bool is_site_script();

}  // namespace fathom::trace
