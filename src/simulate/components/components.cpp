// SPDX-License-Identifier: Apache-2.0
// The one list of components: a new one is its own file in this folder and its name here.
#include "simulate/component.h"

namespace fathom::simulate {
namespace components {
extern const Component compute_nodes, tree, ciod, page_pool, burst_buffer, external_link, server, disk_link, disks;
}

std::span<const Component* const> all_components() {
  using namespace components;
  static constexpr const Component* all[] = {&compute_nodes, &tree, &ciod, &page_pool, &burst_buffer, &external_link, &server, &disk_link, &disks};
  return all;
}

}  // namespace fathom::simulate
