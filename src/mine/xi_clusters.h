// SPDX-License-Identifier: Apache-2.0
/// Clusters of a reachability plot by the xi method: valleys between a steep way down and a steep way up, also valleys within valleys.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mine/optics.h"

namespace fathom::mine {

struct XiSettings {
  double xi = 0.05;              // steep is what changes by this share from one point to the next; between 0 and 1
  std::uint32_t min_points = 5;  // of OPTICS: so many points in a row may be not steep within a steep area
  std::uint32_t min_cluster_size = 5;
};

inline constexpr std::uint32_t noise = std::numeric_limits<std::uint32_t>::max();

struct XiClusters {
  /// Places in the order of the plot, both inclusive.
  struct Cluster {
    std::uint32_t first = 0, last = 0;
    bool operator==(const Cluster&) const = default;
  };
  std::vector<Cluster> clusters;     // the hierarchy: a cluster comes after all that are within it
  std::vector<std::uint32_t> label;  // by point: the innermost cluster (one that holds none found before), or `noise`
  std::uint32_t leaves = 0;          // how many labels there are: 0, 1, ... in the order of `clusters`
};

/// Ankerst et al. 1999, section 4.3 (definitions 9 to 11 and algorithm ExtractClusters), with the correction of the last points by their
/// predecessors of Schubert and Gertz, "Improving the Cluster Structure Extracted from OPTICS Plots" (LWDA 2018), algorithm 2. In what
/// the papers leave open it does as scikit-learn: after the last point the plot is infinite; a cluster's end is compared with the point
/// after it.
XiClusters xi_clusters(const Reachability& plot, const XiSettings& settings);

}  // namespace fathom::mine
