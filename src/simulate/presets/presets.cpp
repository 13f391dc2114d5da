// SPDX-License-Identifier: Apache-2.0
// The one list of presets: a new one is its own file in this folder and its name here.
#include "simulate/preset.h"

namespace fathom::simulate {
namespace presets {
extern const Preset jugene, jugene_burst_buffer, spider, harbour, harbour_burst_buffer, template_with_every_key;
}

std::span<const Preset* const> all_presets() {
  using namespace presets;
  static constexpr const Preset* all[] = {&jugene,  &jugene_burst_buffer,  &spider,
                                          &harbour, &harbour_burst_buffer, &template_with_every_key};
  return all;
}

}  // namespace fathom::simulate
