// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  Architecture changed;
  changed.burst_buffer = 64 * GiB;
  changed.external_bandwidth = 1 * Gbit;
  return fmt::format(
      "# JUGENE with burst buffers and slow external links (5.5.2 of the dissertation), compared with JUGENE as it was.\noriginal = "
      "\"jugene\"\n{}{}{}",
      jugene_io_nodes, component_tables(changed, false), checkpoint_and_restart);
}

}  // namespace

namespace presets {
extern const Preset jugene_burst_buffer;
constinit const Preset jugene_burst_buffer{
    .name = "jugene-burst-buffer",
    .summary = "JUGENE with 64 GiB of burst buffer and 1 Gbit/s for each I/O node, compared with JUGENE",
    .text = text};
}  // namespace presets
}  // namespace fathom::simulate
