// SPDX-License-Identifier: Apache-2.0
#include "ingest/node_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace fathom {
namespace {

constexpr std::size_t longest_name = 255;  // a host name is no longer (RFC 1035)

/// Cuts the next item off a list: to the next comma that is not in brackets.
std::string_view take_item(std::string_view& rest) {
  bool in_brackets = false;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '[') in_brackets = true;
    if (rest[end] == ']') in_brackets = false;
    if (rest[end] == ',' && !in_brackets) break;
  }
  const std::string_view item = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return trim(item);
}

struct Range {
  std::uint64_t first, last;
  std::size_t width;    // of the first number as written
  std::size_t longest;  // of any of them
};

/// `07` or `07-12`
std::optional<Range> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash), high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  const auto first = parse_u64(low), last = parse_u64(high);
  if (!first || !last || *last < *first || *last == UINT64_MAX) return std::nullopt;
  return Range{*first, *last, low.size(), std::max(low.size(), high.size())};
}

/// Nodes in one item, or nothing when it is malformed; capped at limit + 1.
std::optional<std::uint64_t> count_item(std::string_view item, std::size_t limit) {
  std::uint64_t nodes = 1;
  std::size_t longest = 0;  // name that can come out
  while (!item.empty()) {
    const std::size_t open = item.find_first_of("[]");
    const std::string_view literal = item.substr(0, open);
    longest += literal.size();
    item.remove_prefix(literal.size());
    if (item.empty()) break;
    const std::size_t close = item.find(']');
    if (item.front() == ']' || close == std::string_view::npos) return std::nullopt;
    std::string_view ranges = item.substr(1, close - 1);
    item.remove_prefix(close + 1);
    if (ranges.empty() || ranges.back() == ',') return std::nullopt;
    std::uint64_t choices = 0;
    std::size_t width = 0;
    while (!ranges.empty()) {
      const auto range = parse_range(take_until(ranges, ','));
      if (!range) return std::nullopt;
      choices = std::min<std::uint64_t>(limit + 1, choices + std::min<std::uint64_t>(limit, range->last - range->first) + 1);
      width = std::max(width, range->longest);
    }
    longest += width;
    nodes = std::min<std::uint64_t>(limit + 1, nodes * choices);
    if (longest > longest_name) return std::nullopt;
  }
  return longest == 0 || longest > longest_name ? std::nullopt : std::optional(nodes);
}

/// Writes `item`, which count_item() accepted, out behind `name`, whose depth is at most one call per bracket.
void visit_item(std::string& name, std::string_view item, const std::function<void(std::string_view)>& visit) {
  const std::size_t begin = name.size();
  const std::size_t open = item.find('[');
  name += item.substr(0, open);
  if (open == std::string_view::npos) {
    visit(name);
  } else {
    const std::size_t close = item.find(']', open);
    std::string_view ranges = item.substr(open + 1, close - open - 1);
    const std::size_t stem = name.size();
    while (!ranges.empty()) {
      const Range range = *parse_range(take_until(ranges, ','));
      for (std::uint64_t number = range.first; number <= range.last; ++number) {
        const fmt::format_int digits(number);
        if (digits.size() < range.width) name.append(range.width - digits.size(), '0');
        name.append(digits.data(), digits.size());
        visit_item(name, item.substr(close + 1), visit);
        name.resize(stem);
      }
    }
  }
  name.resize(begin);
}

}  // namespace

Result<std::uint64_t> count_nodes(std::string_view list, std::size_t limit) {
  std::uint64_t nodes = 0;
  for (std::string_view rest = trim(list); !rest.empty();) {
    const std::string_view item = take_item(rest);
    const auto more = count_item(item, limit);
    if (!more)
      return Error{ErrorKind::malformed,
                   fmt::format("reading node list '{}': '{}' is no node name or range like n[01-16]", excerpt(list), excerpt(item, 40))};
    nodes += *more;
    if (nodes > limit)
      return Error{ErrorKind::malformed, fmt::format("reading node list '{}': it names more than {} nodes", excerpt(list), limit)};
  }
  return nodes;
}

Result<void> for_each_node(std::string_view list, const std::function<void(std::string_view)>& visit, std::size_t limit) {
  TRY_VOID(count_nodes(list, limit));
  std::string name;
  for (std::string_view rest = trim(list); !rest.empty();) visit_item(name, take_item(rest), visit);
  return {};
}

Result<std::vector<std::string>> expand_node_list(std::string_view list, std::size_t limit) {
  std::vector<std::string> nodes;
  TRY_VOID(for_each_node(
      list, [&](std::string_view node) { nodes.emplace_back(node); }, limit));
  return nodes;
}

}  // namespace fathom
