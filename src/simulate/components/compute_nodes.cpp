// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {

namespace components {
extern const Component compute_nodes;
constinit const Component compute_nodes{
    .name = "compute_nodes",
    .summary =
        R"(Send the requests that the generator deals to them, one at a time: the next one leaves when the answer to the last one is there. How many there are is said by [[io_nodes]].)",
    .parameters = {}};
}  // namespace components
}  // namespace fathom::simulate
