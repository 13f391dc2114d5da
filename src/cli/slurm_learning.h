// SPDX-License-Identifier: Apache-2.0
/// What ran, from sacct into the store, and what it tells of applications.
#pragma once

#include <string>

#include "base/result.h"

namespace fathom {

/// Asks for all since it was asked last (`days` back at first; when that was is kept in the folder `state`), then mines.
Result<void> learn_from_slurm(const std::string& store, const std::string& state, double days);

}  // namespace fathom
