// SPDX-License-Identifier: Apache-2.0
/// What the scenarios about the synthetic machine harbour have in common.
#pragma once

#include <string_view>

#include "simulate/architecture.h"

namespace fathom::simulate {

inline constexpr std::string_view harbour_nodes = "[[io_nodes]]\ncount = 4\ncompute_nodes = 8\n";

inline Architecture harbour_as_it_is() {
  Architecture harbour;
  harbour.tree_bandwidth = 10'000'000'000;  // within a node
  harbour.ciod_buffer = 1 * MiB;            // an RPC
  harbour.page_pool = 0;
  harbour.external_bandwidth = 100 * Gbit;
  harbour.disk_bandwidth = 50'000'000'000;  // the network: never in the way
  harbour.targets = 2;
  harbour.target_bandwidth = 55'000'000;
  harbour.stripe_count = 2;
  harbour.stripe_size = 1 * MiB;
  return harbour;
}

}  // namespace fathom::simulate
