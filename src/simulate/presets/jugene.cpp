// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  return fmt::format("# The I/O subsystem of JUGENE, a Blue Gene/P: 71 racks with 8 I/O nodes, one with 32.\n{}{}{}", jugene_io_nodes,
                     component_tables({}, false), checkpoint_and_restart);
}

}  // namespace

namespace presets {
extern const Preset jugene;
constinit const Preset jugene{.name = "jugene",
                              .summary = "JUGENE as the dissertation models it: 600 I/O nodes, 10 Gbit/s each, 66 GiB/s to the disks",
                              .text = text};
}  // namespace presets
}  // namespace fathom::simulate
