// SPDX-License-Identifier: Apache-2.0
/// What every page of `fathom simulate` begins with: a WhatIfData of web/src/lib/what_if_data.ts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulate/scenario.h"

namespace fathom::simulation_page {

struct Heading {
  std::string title, version;
  std::int64_t generated = 0;  // Unix time in seconds
  std::vector<std::string> notes;
};

/// The parts comparison, sweep and verification are null: whoever makes the page fills one of them.
nlohmann::ordered_json begin_page(const Heading& heading, const simulate::Scenario& scenario, const simulate::Work& work);

nlohmann::ordered_json number_or_null(const std::optional<double>& value);

}  // namespace fathom::simulation_page
