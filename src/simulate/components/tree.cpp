// SPDX-License-Identifier: Apache-2.0
#include "simulate/component.h"

namespace fathom::simulate {
namespace {
constexpr std::string_view shapes[] = {"root", "binary"};
constexpr Parameter parameters[] = {
    {"bandwidth", "tree_bandwidth", Unit::bytes_per_second, &Architecture::tree_bandwidth, 1, 1'000'000 * GiB,
     "of every link, in each direction"},
    {"root_links", "root_links", Unit::count, &Architecture::root_links, 1, 2,
     "links that end at the I/O node; compute node c is behind link c mod root_links"},
    {"shape", "tree_shape", Unit::choice, &Architecture::tree_shape, 0, 1,
     "\"root\": only those links; \"binary\": every link of the complete binary tree behind them", false, shapes},
};
}  // namespace
namespace components {
extern const Component tree;
constinit const Component tree{
    .name = "tree",
    .summary =
        R"(The links between the compute nodes and their I/O node. Data is stored and forwarded, first come first served; requests and acknowledgements have no size, wait for a transfer that is under way and go before those that wait.)",
    .parameters = parameters,
    .in_a_word = &parameters[2]};
}  // namespace components
}  // namespace fathom::simulate
