// SPDX-License-Identifier: Apache-2.0
#include "trace/call_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace fathom::trace {
namespace {

template <class Names>
std::optional<std::size_t> find_name(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

CallTables::CallTables() { unknown = place("unknown", Interface::posix, Operation::control); }

std::uint16_t CallTables::place(std::string_view name, Interface interface, Operation operation) {
  const std::string key = fmt::format("{} {} {}", name, static_cast<int>(interface), static_cast<int>(operation));
  const auto [found, is_new] = places_.try_emplace(key, static_cast<std::uint16_t>(calls.size()));
  if (is_new && calls.size() < UINT16_MAX) calls.push_back({std::string(name), interface, operation});
  return found->second < calls.size() ? found->second : unknown;
}

void CallTables::read_line(std::string_view line, std::vector<std::uint16_t>& table) {
  const auto number = parse_u64(take_word(line));
  const std::string_view name = take_word(line);
  const auto interface = find_name(interface_names, take_word(line));
  const auto operation = find_name(operation_names, take_word(line));
  if (!number || *number < first_call || *number > UINT16_MAX || name.empty() || !interface) {
    ++strange_lines;
    return;
  }
  if (!operation) ++strange_lines;
  if (table.size() <= *number) table.resize(*number + 1, unknown);
  // What a later version does and this one has no word for is still a call with a name.
  table[*number] = place(name, static_cast<Interface>(*interface), operation ? static_cast<Operation>(*operation) : Operation::control);
}

std::uint32_t CallTables::table(std::string_view text) {
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(tables.size());
  known_.emplace(std::string(text), number);
  auto& table = tables.emplace_back();
  if (text.empty()) {
    table.assign(first_call, unknown);
    for (const CallInfo& call : all_calls) table.push_back(place(call.name, call.interface, call.operation));
  }
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    if (!line.empty()) read_line(line, table);
  }
  return number;
}

}  // namespace fathom::trace
