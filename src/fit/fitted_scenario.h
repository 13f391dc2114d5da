// SPDX-License-Identifier: Apache-2.0
/// A scenario with the bandwidths that fitting found.
#pragma once

#include <span>
#include <string>

#include "fit/fitted.h"
#include "simulate/scenario.h"

namespace fathom::fit {

/// The architecture with what was found. A link of the model is as fast in both directions: it gets the largest estimate, but never less
/// than what it could do at least.
simulate::Architecture with_fitted(simulate::Architecture architecture, std::span<const Fitted> rows);

/// As a file for `fathom simulate`: what was found, in comments, the I/O nodes, and every parameter. The work is not in it.
std::string fitted_scenario(const simulate::Scenario& scenario, std::span<const Fitted> rows);

}  // namespace fathom::fit
