// SPDX-License-Identifier: Apache-2.0
/// Scenarios to begin with, as text. Each has a file of its own in presets/.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "simulate/architecture.h"

namespace fathom::simulate {

struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string (*text)();
};

std::span<const Preset* const> all_presets();
/// Null when there is none of that name.
const Preset* find_preset(std::string_view name);

/// The tables of all components that have parameters; with what they do, if wanted.
std::string component_tables(const Architecture& architecture, bool with_summaries);

/// JUGENE's I/O nodes: 71 racks with 8, one with 32.
extern const std::string_view jugene_io_nodes;
/// What every I/O node does unless --store is given.
extern const std::string_view checkpoint_and_restart;

}  // namespace fathom::simulate
