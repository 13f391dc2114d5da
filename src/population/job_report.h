// SPDX-License-Identifier: Apache-2.0
/// One job for the report's page: JobReport of web/src/lib/data.ts, field by field.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "characterise/job_view.h"

namespace fathom {

/// `why` it was chosen; empty when it was asked for.
nlohmann::ordered_json job_report(const Study& study, const JobView& view, const Annotations& declared, const std::string& why);

}  // namespace fathom
