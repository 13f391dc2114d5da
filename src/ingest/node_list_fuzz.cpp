// SPDX-License-Identifier: Apache-2.0
// Any text expands to as many nodes as are counted, or to an error.
#include <cstdlib>

#include "ingest/node_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto count = fathom::count_nodes(text, 4096);
  const auto nodes = fathom::expand_node_list(text, 4096);
  if (count.has_value() != nodes.has_value() || (nodes && nodes->size() != *count)) std::abort();
  return 0;
}
