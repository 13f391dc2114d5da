// SPDX-License-Identifier: Apache-2.0
/// The pages that the program writes: one HTML file each, with its data in it.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

/// Of `fathom report`; `json` is a ReportData (web/src/lib/data.ts).
std::string report_page(std::string_view json);
/// Of `fathom slices`; `json` is a SlicesData (web/src/lib/slices_data.ts).
std::string slices_page(std::string_view json);
/// Of `fathom simulate`; `json` is a WhatIfData (web/src/lib/what_if_data.ts).
std::string what_if_page(std::string_view json);
/// Of `fathom apps --app`; `json` is an ApplicationData (web/src/lib/application_data.ts).
std::string application_page(std::string_view json);

}  // namespace fathom
