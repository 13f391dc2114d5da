// SPDX-License-Identifier: Apache-2.0
/// The page of `fathom report`: one HTML file with its data in it.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

/// The whole page; `json` is a ReportData (web/src/lib/data.ts).
std::string report_page(std::string_view json);

}  // namespace fathom
