// SPDX-License-Identifier: Apache-2.0
/// The analysis map of one job as people read it on a terminal (D Tables 3.2, 4.10 to 4.34).
#pragma once

#include <string>

#include "characterise/job_view.h"

namespace fathom {

/// Of the job at `place` in study.analysis.jobs.
Result<std::string> analysis_map_text(const Study& study, std::size_t place);

/// The rows as a table with a heading for each category.
std::string map_table(const std::vector<MapRow>& rows);

}  // namespace fathom
