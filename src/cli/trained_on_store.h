// SPDX-License-Identifier: Apache-2.0
/// `fathom train STORE`: weights and thresholds from the runs of a store's known applications.
#pragma once

#include <string>

#include "advise/trained.h"

namespace fathom {

/// Says what it was learned from. `runs_file`, unless empty, gets the training runs as CSV, from which `fathom train` learns the same.
Result<advise::Trained> train_on_store(const std::string& path, const advise::LoadSettings& load, const std::string& runs_file);

}  // namespace fathom
