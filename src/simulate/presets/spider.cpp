// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

/// Spider as Oak Ridge described it in 2009-2010: 192 object storage servers with 7 targets each, 240 GB/s altogether, 4 stripes of 1 MiB
/// by default. Its clients reached it over 192 router nodes of the Cray XT5; these take the place of I/O nodes, and a router's InfiniBand
/// link (DDR, 16 Gbit/s of data) that of the external link. The network between them and the servers has 889 GB/s. Routers have no page
/// pool; caches of clients and the torus between clients and routers are not modelled (two links of 2 GB/s stand for it).
std::string text() {
  Architecture spider;
  spider.in_flight = 8;  // RPCs that a Lustre client has under way
  spider.tree_bandwidth = 2'000'000'000;
  spider.page_pool = 0;
  spider.ciod_buffer = 1 * MiB;  // an RPC
  spider.external_bandwidth = 16 * Gbit;
  spider.disk_bandwidth = 889'000'000'000;
  spider.object_servers = 192;
  spider.object_server_bandwidth = 16 * Gbit;
  spider.targets = 1344;
  spider.target_bandwidth = 170 * MiB;
  spider.stripe_count = 4;
  spider.stripe_size = 1 * MiB;
  return R"(# A Lustre file system like Oak Ridge's Spider: routers, object storage servers (OSS) and targets (OST). Bandwidths are those of
# the hardware as published; `fathom fit` finds those that were reached.
[[io_nodes]]
count = 192
compute_nodes = 97
)" + component_tables(spider, false) +
         std::string(checkpoint_and_restart);
}

}  // namespace

namespace presets {
extern const Preset spider;
constinit const Preset spider{.name = "spider", .summary = "a Lustre file system like Spider: 192 OSS, 1,344 OST, 4 stripes", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
