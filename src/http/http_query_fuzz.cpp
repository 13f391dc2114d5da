// SPDX-License-Identifier: Apache-2.0
// Any query is read or refused; what was read and is written again reads the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "http/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)decode(text, false);
  const auto pairs = parse_query(text);
  if (!pairs) return 0;
  std::string again;
  for (const auto& [name, value] : *pairs) again += (again.empty() ? "" : "&") + encode(name) + "=" + encode(value);
  const auto second = parse_query(again);
  // A pair without name and value is a part of its own when it is written.
  if (!second || second->size() != pairs->size() || *second != *pairs) std::abort();
  return 0;
}
