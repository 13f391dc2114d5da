// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"in_flight", "in_flight", Unit::count, &Architecture::in_flight, 1, 1024,
     "requests that a compute node may have under way; more than 1: asynchronous I/O", true},
};
}  // namespace
namespace components {
extern const Component compute_nodes;
constinit const Component compute_nodes{
    .name = "compute_nodes",
    .summary =
        R"(Send the requests that the generator deals to them, so many at a time: the next one leaves when the answer to one before it is there. How many there are is said by [[io_nodes]].)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
