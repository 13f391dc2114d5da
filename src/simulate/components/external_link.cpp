// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"bandwidth", "external_bandwidth", Unit::bytes_per_second, &Architecture::external_bandwidth, 1, 1'000'000 * GiB,
     "of each I/O node, in each direction"},
};
}  // namespace
namespace components {
extern const Component external_link;
constinit const Component external_link{
    .name = "external_link",
    .summary =
        R"(Between an I/O node and the server. The bypass at its end counts what passes: a write when the acknowledgement of the disks is back, a read when its data is there.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
