// SPDX-License-Identifier: Apache-2.0
// Any bytes, packed or not, are read to an end: whole lines, and the same ones whether or not somebody looked at the first bytes before.
#include <cstdlib>

#include "base/input.h"

namespace {

constexpr std::size_t most_bytes = 4u << 20;  // a few bytes may unpack to very many

struct Read {
  std::uint64_t lines = 0;
  std::size_t bytes = 0;
  std::string end;  // what stopped it
  bool operator==(const Read&) const = default;
};

Read read(std::string_view stored, bool peek_before) {
  fathom::LineInput input = fathom::LineInput::from_memory("input", stored);
  if (peek_before && input.peek().size() > (64u << 10)) std::abort();
  Read found;
  const auto outcome = input.for_each_line([&](std::string_view line, std::uint64_t number) {
    if (number != ++found.lines || line.find('\n') != std::string_view::npos) std::abort();
    found.bytes += line.size();
    return found.bytes < most_bytes;
  });
  if (!outcome) found.end = outcome.error().message;
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stored(reinterpret_cast<const char*>(data), size);
  const Read found = read(stored, false);
  if (found != read(stored, true)) std::abort();
  const bool packed = stored.starts_with("\x1f\x8b") || stored.starts_with("\x28\xb5\x2f\xfd");
  if (!packed && (!found.end.empty() || found.bytes > size)) std::abort();
  return 0;
}
