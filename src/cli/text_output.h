// SPDX-License-Identifier: Apache-2.0
/// Much text to standard output or a file, in large pieces; numbers are written without detours.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

/// Writing failed for this reason (errno); an empty name is standard output.
Error write_error(const std::string& file, int problem);

class TextOutput {
 public:
  /// An empty name is standard output.
  static Result<TextOutput> open(const std::string& file);

  TextOutput& operator<<(std::string_view text) {
    if (buffer_.size() + text.size() > capacity) flush();
    buffer_ += text;
    return *this;
  }
  TextOutput& operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <class Number>
  TextOutput& number(Number value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }
  /// Nanoseconds as seconds with nine digits behind the point, exactly: 1700000000.000001000.
  TextOutput& seconds(std::int64_t nanoseconds);
  /// Text between quotes, as JSON wants it.
  TextOutput& quoted(std::string_view text);

  /// Whether something went wrong already, so that a long output can stop.
  bool good() const { return good_; }
  Result<void> finish();

 private:
  static constexpr std::size_t capacity = 1 << 18;
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  void flush();

  std::string name_, buffer_;
  std::unique_ptr<std::FILE, Close> file_;
  bool good_ = true;
  int problem_ = 0;
};

}  // namespace fathom
