// SPDX-License-Identifier: Apache-2.0
/// The model once more, plainly: a queue for every station, an event for every request and hop, all requests written out. For tests.
#pragma once

#include <vector>

#include "simulate/architecture.h"
#include "simulate/outcome.h"
#include "simulate/work.h"

namespace fathom::simulate {

/// Increments begin when their intervals did; jobs are not looked at. By node and index.
std::vector<Completion> reference_completions(const Architecture& architecture, const Work& work);

}  // namespace fathom::simulate
