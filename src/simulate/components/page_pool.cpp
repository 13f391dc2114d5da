// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr Parameter parameters[] = {
    {"size", "page_pool", Unit::bytes, &Architecture::page_pool, 0, 1024 * TiB, "of each I/O node; 0: none, every write takes the bypass"},
};
}  // namespace
namespace components {
extern const Component page_pool;
constinit const Component page_pool{
    .name = "page_pool",
    .summary =
        R"(Takes a write that it has room for, acknowledges it and sends it on later, in order, whenever no write waits for the link itself. A write that finds no room waits for the link: the bypass. Room is free again at the end of the transfer.)",
    .parameters = parameters};
}  // namespace components
}  // namespace fathom::simulate
