// SPDX-License-Identifier: Apache-2.0
/// A change to competing applications, in one word of the command line: big.start=+300.
#pragma once

#include <string>
#include <string_view>

#include "sharing/scenario.h"

namespace fathom::sharing {

/// Changes the scenario. NAME.KEY=VALUE, with the keys start (a moment; with a sign: so much later or earlier), processes, nodes and
/// volume; NAME.absent takes the application out. Where bandwidth is per application, a changed volume changes the stand-alone time in
/// proportion.
Result<void> apply_what_if(Scenario& scenario, std::string_view change);

}  // namespace fathom::sharing
