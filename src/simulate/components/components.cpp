// SPDX-License-Identifier: Apache-2.0
// The one list of components: a new one is its own file in this folder and its line here, where a write passes it.
// clang-format off
#define FATHOM_COMPONENTS(listed) \
  listed(compute_nodes) \
  listed(tree) \
  listed(ciod) \
  listed(page_pool) \
  listed(burst_buffer) \
  listed(external_link) \
  listed(server) \
  listed(disk_link) \
  listed(object_servers) \
  listed(targets) \
  listed(disks)

// clang-format on
#include <fmt/format.h>

#include "simulate/component.h"

namespace fathom::simulate {
namespace components {
#define DECLARED(name) extern const Component name;
FATHOM_COMPONENTS(DECLARED)
}  // namespace components

std::span<const Component* const> all_components() {
#define POINTER(name) &components::name,
  static constexpr const Component* all[] = {FATHOM_COMPONENTS(POINTER)};
  return all;
}

std::string impossible(const Architecture& a) {
  if (a.burst_buffer != 0 && a.burst_buffer < a.ciod_buffer)
    return fmt::format(
        "the size of [burst_buffer] must be 0 (none) or at least the CIOD buffer ({} bytes), not {}: a request would never fit",
        a.ciod_buffer, a.burst_buffer);
  if (a.burst_buffer > UINT64_MAX / a.burst_buffer_shared_by)
    return fmt::format("{} buffers of {} bytes that [burst_buffer] puts together are more than 2^64 bytes", a.burst_buffer_shared_by,
                       a.burst_buffer);
  if (a.burst_buffer == 0 && (a.prefetch > 0 || a.read_hits > 0))
    return "prefetch and read_hits of [burst_buffer] need a buffer: its size is 0";
  if (a.targets > 0 && a.stripe_count > a.targets)
    return fmt::format("the stripe_count of [targets] is {}, but there are only {} targets", a.stripe_count, a.targets);
  if (a.object_servers > 0 && a.targets == 0) return "[object_servers] need [targets]: their count is 0";
  return {};
}

}  // namespace fathom::simulate
