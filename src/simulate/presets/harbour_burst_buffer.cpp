// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"
#include "simulate/presets/harbour.h"

namespace fathom::simulate {
namespace {

std::string text() {
  Architecture changed = harbour_as_it_is();
  changed.burst_buffer = 32 * GiB;
  changed.burst_buffer_bandwidth = 2'000'000'000;
  return "# The same with 32 GiB of burst buffer in each compute node (part of an NVMe drive), compared with harbour as it is.\noriginal = "
         "\"harbour\"\n" +
         std::string(harbour_nodes) + component_tables(changed, false) + std::string(checkpoint_and_restart);
}

}  // namespace

namespace presets {
extern const Preset harbour_burst_buffer;
constinit const Preset harbour_burst_buffer{
    .name = "harbour-burst-buffer", .summary = "the same with 32 GiB of burst buffer in each node, compared with harbour", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
