// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"buffer", "ciod_buffer", Unit::bytes, &Architecture::ciod_buffer, 1, TiB,
     "for each compute node; a larger request is split into pieces of this size"},
};
}  // namespace
namespace components {
extern const Component ciod;
constinit const Component ciod{.name = "ciod",
                               .summary = R"(Receives the requests on the I/O node and holds them, in one buffer for each compute node.)",
                               .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
