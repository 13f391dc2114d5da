// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {

namespace components {
extern const Component server;
constinit const Component server{
    .name = "server", .summary = R"(A switch between all external links and the disk link; takes no time.)", .parameters = {}};
}  // namespace components
}  // namespace fathom::simulate
