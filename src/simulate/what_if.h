// SPDX-License-Identifier: Apache-2.0
/// A question of the dashboard: a preset with changes, perhaps a sweep over some parameters; as JSON, and as the scenario that `fathom
/// simulate` reads.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom::simulate {

/// A SimulationRequest of web/src/lib/api.ts.
struct WhatIf {
  struct Axis {
    std::string key;
    std::vector<std::string> values;
  };
  std::string title;
  std::string preset;
  std::map<std::string, std::string> changes;  // component.parameter, or one of other_keys
  std::vector<Axis> sweep;                     // none: compare only
  std::optional<std::string> store;            // whose jobs; none: those that the preset makes up
  std::optional<double> from, to;              // of the store, Unix time
};

/// Fails with `usage` for anything that is not exactly such a request.
Result<WhatIf> parse_what_if(std::string_view json);
nlohmann::ordered_json as_json(const WhatIf& asked);

/// A key of `changes` that is no component's.
struct OtherKey {
  std::string_view key, unit, meaning;
};
std::span<const OtherKey> other_keys();
/// What it is in a preset as people write it; empty: the preset does not say.
std::string value_in_preset(const OtherKey& key, std::string_view preset_text);

/// The scenario in the TOML form: the preset with the changes, compared with the preset's own original, or without one with the preset
/// itself.
Result<std::string> scenario_text(const WhatIf& asked);
/// Each axis as `--sweep` has it.
std::vector<std::string> sweep_words(const WhatIf& asked);

}  // namespace fathom::simulate
