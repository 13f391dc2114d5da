// SPDX-License-Identifier: Apache-2.0
// The one list of components: a new one is its own file in this folder and its name here.
#include <fmt/format.h>

#include "simulate/component.h"

namespace fathom::simulate {
namespace components {
extern const Component compute_nodes, tree, ciod, page_pool, burst_buffer, external_link, server, disk_link, disks;
}

std::span<const Component* const> all_components() {
  using namespace components;
  static constexpr const Component* all[] = {&compute_nodes, &tree,   &ciod,      &page_pool, &burst_buffer,
                                             &external_link, &server, &disk_link, &disks};
  return all;
}

std::string impossible(const Architecture& architecture) {
  if (architecture.burst_buffer == 0 || architecture.burst_buffer >= architecture.ciod_buffer) return {};
  return fmt::format(
      "the size of [burst_buffer] must be 0 (none) or at least the CIOD buffer ({} bytes), not {}: a request would never fit",
      architecture.ciod_buffer, architecture.burst_buffer);
}

}  // namespace fathom::simulate
