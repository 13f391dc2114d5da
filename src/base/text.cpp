// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace fathom {
namespace {

/// Bytes of the UTF-8 sequence that `text` begins with (RFC 3629: shortest form, no surrogates), 0 when it is none.
std::size_t utf8_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool odd = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f);
    return follows(1) && follows(2) && !odd ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool odd = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return follows(1) && follows(2) && follows(3) && !odd ? 4 : 0;
  }
  return 0;
}

/// Does something to a terminal instead of being shown: U+0000 to U+001F, U+007F, and U+0080 to U+009F, one of which is the same as ESC [.
bool is_control(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xa0);
}

/// `text` with `instead` for each control character and each byte that is not UTF-8.
std::string replaced(std::string_view text, std::string_view instead) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(text))
      clean += instead;
    else
      clean += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return clean;
}

/// Letters to insert, remove or replace to turn one word into the other (Levenshtein).
std::size_t changes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string as_utf8(std::string_view text) { return replaced(text, "\xef\xbf\xbd"); }

std::string_view closest_word(std::string_view word, std::span<const std::string_view> choices) {
  if (word.size() > 64) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view choice : choices) {
    const std::size_t changes = changes_between(word, choice);
    if (changes < fewest) {
      fewest = changes;
      best = choice;
    }
  }
  return best;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) text = text.substr(0, limit);
  // Never half a UTF-8 sequence at the cut.
  while (cut && !text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0) text.remove_suffix(1);
  return replaced(text, "?") + (cut ? "..." : "");
}

}  // namespace fathom
