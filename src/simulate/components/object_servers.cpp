// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"count", "object_servers", Unit::count, &Architecture::object_servers, 0, 100'000,
     "0: their links take no time. Target t belongs to number t mod count", true},
    {"bandwidth", "object_server_bandwidth", Unit::bytes_per_second, &Architecture::object_server_bandwidth, 1, 1'000'000 * GiB,
     "of each, in each direction", true},
};
}  // namespace
namespace components {
extern const Component object_servers;
constinit const Component object_servers{
    .name = "object_servers",
    .summary =
        R"(Lustre's OSS, behind the disk link, which is then the network: each has a link of its own that its targets share, first come first served. Requests and acknowledgements do not wait here.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
