// SPDX-License-Identifier: Apache-2.0
/// Scanning text without copying it: numbers, fields, blanks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fathom {

/// All of `text` as an unsigned number, or nothing (empty, a sign, other characters, overflow).
inline std::optional<std::uint64_t> parse_u64(std::string_view text) {
  if (text.empty() || text.size() > 20) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return std::nullopt;
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value)) return std::nullopt;
  }
  return value;
}

std::optional<double> parse_double(std::string_view text);

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

constexpr std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Cuts the part of `rest` before `separator` off and returns it; all of it when there is no separator.
constexpr std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view field = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return field;
}

/// Cuts the next word off `rest`; words are separated by any number of blanks. Empty at the end.
constexpr std::string_view take_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

/// Equal but for the case of ASCII letters.
constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// `text` as valid UTF-8: bytes that are none and control characters become U+FFFD.
std::string as_utf8(std::string_view text);

/// The choice most like `word` (fewest single-letter changes), for "did you mean"; empty when none is close.
std::string_view closest_word(std::string_view word, std::span<const std::string_view> choices);

/// Up to `limit` characters of input for a message, with what cannot be printed replaced.
std::string excerpt(std::string_view text, std::size_t limit = 120);

}  // namespace fathom
