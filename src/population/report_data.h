// SPDX-License-Identifier: Apache-2.0
/// The data of a report's page, as one JSON document: ReportData of web/src/lib/data.ts, field by field.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "characterise/study.h"
#include "population/selection.h"

namespace fathom {

struct ReportOptions {
  std::string title, store_name, version;
  std::int64_t generated = 0;  // Unix seconds
  double peak = 0;             // of the machine, bytes per second; 0: not known
  SelectionOptions selection;
};

/// `jobs` is a list of ready-made JobReports. Everything is binned, so the document stays small however many jobs there are.
nlohmann::ordered_json report_data(const Study& study, const ReportOptions& options, nlohmann::ordered_json jobs);

}  // namespace fathom
