// SPDX-License-Identifier: Apache-2.0
#include "simulate/presets/harbour.h"

#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  return "# What a shared file of the synthetic machine harbour meets: four compute nodes of eight ranks, and the two OSTs that it lies "
         "on, which do\n"
         "# 55 MB/s each of small requests that cross page borders. There is no page pool: where locks go to and fro, a write waits until "
         "its OST has it.\n" +
         std::string(harbour_nodes) + component_tables(harbour_as_it_is(), false) + std::string(checkpoint_and_restart);
}

}  // namespace

namespace presets {
extern const Preset harbour;
constinit const Preset harbour{
    .name = "harbour", .summary = "a shared file of the synthetic machine harbour: four nodes, two slow OSTs", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
