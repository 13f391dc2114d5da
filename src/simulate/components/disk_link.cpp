// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"bandwidth", "disk_bandwidth", Unit::bytes_per_second, &Architecture::disk_bandwidth, 1, 1'000'000 * GiB,
     "shared by all I/O nodes, in each direction"},
};
}  // namespace
namespace components {
extern const Component disk_link;
constinit const Component disk_link{.name = "disk_link",
                                    .summary = R"(Between the server and the disks, first come first served for the whole machine.)",
                                    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
