// SPDX-License-Identifier: Apache-2.0
// The one list of live sources: a new one is its own file in this folder and its name here.
#include "collect/source.h"

namespace fathom {
namespace sources {
extern const SourceKind block, lustre, gpfs_mmpmon, nfs, gluster, prometheus;
}

std::span<const SourceKind* const> all_source_kinds() {
  using namespace sources;
  static constexpr const SourceKind* kinds[] = {&block, &lustre, &gpfs_mmpmon, &nfs, &gluster, &prometheus};
  return kinds;
}

}  // namespace fathom
