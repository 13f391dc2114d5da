// SPDX-License-Identifier: Apache-2.0
#include "trace_format/call_table.h"

#include <string_view>

#include "trace_format/call.h"
#include "trace_format/memory_folder.h"

namespace fathom::trace {
namespace {

struct TableText {
  char text[16384] = {};
  std::size_t size = 0;

  constexpr void add(std::string_view words) {
    for (const char c : words) text[size++] = c;
  }
};

/// Made by the compiler: inside a traced program nothing is left to do.
constexpr TableText make_table() {
  TableText table;
  std::size_t number = first_call;
  for (const CallInfo& call : all_calls) {
    const char digits[] = {static_cast<char>('0' + number / 100), static_cast<char>('0' + number / 10 % 10),
                           static_cast<char>('0' + number % 10)};
    table.add({digits, 3});
    table.add(" ");
    table.add(call.name);
    table.add(" ");
    table.add(interface_names[static_cast<std::size_t>(call.interface)]);
    table.add(" ");
    table.add(operation_names[static_cast<std::size_t>(call.operation)]);
    table.add("\n");
    ++number;
  }
  return table;
}
constexpr TableText table = make_table();

constexpr std::uint64_t hash = hash_of({table.text, table.size});

}  // namespace

const char* call_table_text(std::size_t& bytes) {
  bytes = table.size;
  return table.text;
}

std::uint64_t call_table_hash() { return hash; }

}  // namespace fathom::trace
