// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  Architecture changed;
  changed.burst_buffer = 64 * GiB;
  changed.external_bandwidth = 1 * Gbit;
  return R"(# JUGENE with burst buffers and slow external links (5.5.2 of the dissertation), compared with JUGENE as it was.
original = "jugene"
[[io_nodes]]
count = 568
compute_nodes = 128
[[io_nodes]]
count = 32
compute_nodes = 32
)" + component_tables(changed, false) +
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
extern const Preset jugene_burst_buffer;
constinit const Preset jugene_burst_buffer{.name = "jugene-burst-buffer", .summary = "JUGENE with 64 GiB of burst buffer and 1 Gbit/s for each I/O node, compared with JUGENE", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
