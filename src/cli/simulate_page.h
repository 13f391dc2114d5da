// SPDX-License-Identifier: Apache-2.0
/// The page of `fathom simulate`: -o FILE.html.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "simulation_page/heading.h"

namespace fathom {

inline bool is_page(const OutputOptions& output) { return output.file.ends_with(".html"); }

/// The title is `words` and the scenario's file.
simulation_page::Heading what_if_heading(const simulate::Scenario& scenario, std::string_view words, bool stopped);
/// The same for pages that compare with the original.
simulation_page::Heading comparing_heading(const simulate::Scenario& scenario, std::string_view words, bool stopped);
Result<void> write_what_if_page(const nlohmann::ordered_json& data, const OutputOptions& output);

}  // namespace fathom
