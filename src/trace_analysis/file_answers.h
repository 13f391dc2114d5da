// SPDX-License-Identifier: Apache-2.0
/// The criteria that only traces can answer because they know the files: each adds to the answer of its name.
#pragma once

#include "trace_analysis/trace_criteria.h"

namespace fathom::trace {

void files(CriterionAnswer& answer, const TraceMeasurement& run);
void shared_files(CriterionAnswer& answer, const TraceMeasurement& run);
void spatial_pattern(CriterionAnswer& answer, const TraceMeasurement& run);
void file_concurrency(CriterionAnswer& answer, const TraceMeasurement& run);

}  // namespace fathom::trace
