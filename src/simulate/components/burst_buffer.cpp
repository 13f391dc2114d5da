// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"size", Unit::bytes, &Architecture::burst_buffer, 0, 1024 * TiB, "of each I/O node; 0: none. Otherwise at least the CIOD buffer"},
    {"bandwidth", Unit::bytes_per_second, &Architecture::burst_buffer_bandwidth, 1, 1'000'000 * GiB, "of the internal link into it"},
};
}  // namespace
namespace components {
extern const Component burst_buffer;
constinit const Component burst_buffer{
    .name = "burst_buffer",
    .summary =
        R"(Stands behind the page pool: writes reach it over its internal link, are acknowledged when they are in it (unless the page pool did that), and leave it in order over the external link. When it is full, writes wait for room. Reads pass by.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
