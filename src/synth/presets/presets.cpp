// SPDX-License-Identifier: Apache-2.0
// The one list of synthetic machines: a new one is its own file in this folder and its name here.
#include <algorithm>

#include "synth/synth.h"

namespace fathom {

extern const SynthPreset harbour;
extern const SynthPreset jugene;
extern const SynthPreset microbench;
extern const SynthPreset small;
extern const SynthPreset spider;
extern const SynthPreset spider_cases;
extern const SynthPreset spider_heavy;

std::span<const SynthPreset* const> all_presets() {
  static constexpr const SynthPreset* presets[] = {&harbour, &jugene, &microbench, &small, &spider, &spider_cases, &spider_heavy};
  return presets;
}

const SynthPreset* preset_named(std::string_view name) {
  const auto presets = all_presets();
  const auto found = std::find_if(presets.begin(), presets.end(), [&](const SynthPreset* preset) { return preset->name == name; });
  return found == presets.end() ? nullptr : *found;
}

}  // namespace fathom
