// SPDX-License-Identifier: Apache-2.0
/// Text in memory of fixed size, made without the C library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fathom::trace {

template <std::size_t capacity>
struct Text {
  char data[capacity] = {};
  std::size_t size = 0;

  Text& add(char c) {
    if (size + 1 < capacity) data[size++] = c;
    data[size] = 0;
    return *this;
  }
  Text& add(const char* words) {
    for (; words && *words; ++words) add(*words);
    return *this;
  }
  Text& add(const char* words, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) add(words[i]);
    return *this;
  }
  Text& number(std::uint64_t value, unsigned base = 10) {
    char digits[24];
    std::size_t n = 0;
    do {
      digits[n++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value > 0);
    while (n > 0) add(digits[--n]);
    return *this;
  }
  Text& number_signed(std::int64_t value) {
    if (value < 0) add('-');
    return number(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
  }
  /// A line "key=value"; line ends inside become blanks.
  Text& line(const char* key, const char* value) {
    add(key).add('=');
    for (; value && *value; ++value) add(*value == '\n' ? ' ' : *value);
    return add('\n');
  }
  Text& line(const char* key, std::uint64_t value, unsigned base = 10) { return add(key).add('=').number(value, base).add('\n'); }
  Text& line_signed(const char* key, std::int64_t value) { return add(key).add('=').number_signed(value).add('\n'); }
};

}  // namespace fathom::trace
