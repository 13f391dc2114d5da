// SPDX-License-Identifier: Apache-2.0
/// What `fathom advise --replay` prints: policies compared, and run against delay.
#pragma once

#include <string>
#include <vector>

#include "replay/experiment.h"
#include "report/table.h"

namespace fathom {

/// One row for each policy and seed.
Table policy_rows(const std::vector<replay::PolicyRun>& runs);
/// One row for each policy: means over seeds.
Table policy_means(const std::vector<replay::PolicyRun>& runs, bool for_people);
/// One row for each seed and one for all together.
Table trial_rows(const std::vector<replay::RunAgainstDelay>& all);

}  // namespace fathom
