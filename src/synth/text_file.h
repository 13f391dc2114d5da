// SPDX-License-Identifier: Apache-2.0
/// A text file being written fast: the writer fills a buffer by hand; trouble is kept until it is asked for.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

class TextFile {
 public:
  explicit TextFile(std::string path);
  TextFile(TextFile&&) noexcept = default;
  TextFile& operator=(TextFile&&) noexcept = default;

  /// Room for `bytes` (at most block_size) at the end of the buffer; wrote(end) says how much of it was used.
  char* room(std::size_t bytes) {
    if (used_ + bytes > block_size) write_out();
    return buffer_.get() + used_;
  }
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.get()); }
  void put(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> form, Args&&... args) {
    put(fmt::format(form, std::forward<Args>(args)...));
  }
  bool good() const { return failure_.empty(); }
  /// Writes what is left, closes the file, and says what went wrong, now or earlier.
  Result<void> close();

  static constexpr std::size_t block_size = 1u << 20;

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write_out();

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::string failure_;
};

/// Decimal digits of `value` at `at`; returns their end.
inline char* put_number(char* at, std::uint64_t value) {
  static constexpr auto pairs = [] {
    std::array<char, 200> text{};
    for (std::size_t i = 0; i < 100; ++i) {
      text[2 * i] = static_cast<char>('0' + i / 10);
      text[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return text;
  }();
  char digits[20];
  char* first = digits + sizeof digits;
  while (value >= 100) {
    first -= 2;
    std::memcpy(first, &pairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) {
    first -= 2;
    std::memcpy(first, &pairs[2 * value], 2);
  } else {
    *--first = static_cast<char>('0' + value);
  }
  const auto length = static_cast<std::size_t>(digits + sizeof digits - first);
  std::memcpy(at, first, length);
  return at + length;
}

}  // namespace fathom
