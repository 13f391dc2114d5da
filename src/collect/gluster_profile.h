// SPDX-License-Identifier: Apache-2.0
/// What `gluster volume profile VOL info --xml` says of the bricks of a volume.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/counters.h"

namespace fathom {

struct GlusterBrick {
  std::string name;  // storage1:/bricks/b1
  Counters values{};
};

struct GlusterProfile {
  /// Operations that did not happen are not printed: zero. Releases are never printed, so that there are no closes.
  static constexpr CounterMask has = data_counters | mask(Counter::opens) | mask(Counter::dirs) | mask(Counter::metadata_ops);
  std::string volume;
  std::vector<GlusterBrick> bricks;  // that gave cumulative values
};

/// An error also where gluster says that it could not (profiling is not started, no such volume).
Result<GlusterProfile> parse_gluster_profile(std::string_view xml);

}  // namespace fathom
