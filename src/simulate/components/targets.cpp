// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"count", "targets", Unit::count, &Architecture::targets, 0, 1'000'000, "0: none, disks take no time", true},
    {"bandwidth", "target_bandwidth", Unit::bytes_per_second, &Architecture::target_bandwidth, 1, 1'000'000 * GiB,
     "of each, reads and writes together", true},
    {"stripe_count", "stripe_count", Unit::count, &Architecture::stripe_count, 1, 1'000'000,
     "targets that the data of an I/O node is spread over", true},
    {"stripe_size", "stripe_size", Unit::bytes, &Architecture::stripe_size, 4 * KiB, 1 * TiB, "then comes the next target", true},
};
}  // namespace
namespace components {
extern const Component targets;
constinit const Component targets{
    .name = "targets",
    .summary =
        R"(Lustre's OST. I/O node n has its data on the targets n x stripe_count and those behind it, and goes over them stripe by stripe, reads and writes each in a row of their own. A target does one piece after the other, first come first served. A write is acknowledged, and the data of a read goes on, when the last piece is done.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
