// SPDX-License-Identifier: Apache-2.0
/// Node lists as batch systems write them: `cpn-f13-03-[01-02],d13n[03,05,07-08]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

inline constexpr std::size_t longest_node_list = 1u << 20;  // nodes; a list of more is taken as a mistake

/// Calls `visit` with every node in the order of the list. Each item may hold several brackets; a range keeps the
/// width of its first number (`n[08-11]` is n08, n09, n10, n11). Nothing is visited when the list is malformed.
Result<void> for_each_node(std::string_view list, const std::function<void(std::string_view)>& visit,
                           std::size_t limit = longest_node_list);

Result<std::vector<std::string>> expand_node_list(std::string_view list, std::size_t limit = longest_node_list);

/// How many nodes the list names (repeated ones count again), without writing them out.
Result<std::uint64_t> count_nodes(std::string_view list, std::size_t limit = longest_node_list);

}  // namespace fathom
