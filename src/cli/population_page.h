// SPDX-License-Identifier: Apache-2.0
/// What `fathom population` shows on a terminal: sentences first, then the tables.
#pragma once

#include <string>

#include "cli/population_tables.h"

namespace fathom {

std::string population_page(const Study& study, const PopulationOptions& options);

}  // namespace fathom
