// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <charconv>

namespace fathom {

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  std::string shown(text.substr(0, limit));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  // Never half a UTF-8 sequence at the cut.
  while (cut && !shown.empty() && (static_cast<unsigned char>(shown.back()) & 0x80) != 0) shown.pop_back();
  return cut ? shown + "..." : shown;
}

}  // namespace fathom
