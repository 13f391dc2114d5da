// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  return R"(# The I/O subsystem of JUGENE, a Blue Gene/P: 71 racks with 8 I/O nodes, one with 32.
[[io_nodes]]
count = 568
compute_nodes = 128
[[io_nodes]]
count = 32
compute_nodes = 32
)" + component_tables({}, false) +
         R"(
# What every I/O node does, unless --store is given: a checkpoint, then reading it back.
[[increment]]
start = 0
write_bytes = "2 GiB"
write_operations = 512
[[increment]]
start = "2 min"
read_bytes = "2 GiB"
read_operations = 512
)";
}

}  // namespace

namespace presets {
extern const Preset jugene;
constinit const Preset jugene{.name = "jugene", .summary = "JUGENE as the dissertation models it: 600 I/O nodes, 10 Gbit/s each, 66 GiB/s to the disks", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
