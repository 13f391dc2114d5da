// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {

namespace components {
extern const Component disks;
constinit const Component disks{.name = "disks", .summary = R"(Acknowledge writes and answer reads; take no time.)", .parameters = {}};
}  // namespace components
}  // namespace fathom::simulate
