// SPDX-License-Identifier: Apache-2.0
#include "cli/text_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace fathom {

Error write_error(const std::string& file, int problem) {
  const bool closed = file.empty() && (problem == EPIPE || problem == EBADF || problem == 0);
  return {ErrorKind::unwritable,
          fmt::format("writing {}: {}", file.empty() ? "to standard output" : file, closed ? "it was closed" : std::strerror(problem))};
}

Result<TextOutput> TextOutput::open(const std::string& file) {
  TextOutput output;
  output.name_ = file;
  output.buffer_.reserve(capacity + 4096);
  output.file_.reset(file.empty() ? stdout : std::fopen(file.c_str(), "wb"));
  if (!output.file_) return write_error(file, errno);
  return output;
}

TextOutput& TextOutput::seconds(std::int64_t nanoseconds) {
  char text[32];
  const bool negative = nanoseconds < 0;
  auto rest = negative ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  char* at = text + sizeof text;
  for (int digits = 0; digits < 9; ++digits, rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  *--at = '.';
  do *--at = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (negative) *--at = '-';
  return *this << std::string_view(at, static_cast<std::size_t>(text + sizeof text - at));
}

TextOutput& TextOutput::quoted(std::string_view text) {
  *this << '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      *this << '\\' << c;
    else if (byte < 0x20)
      *this << fmt::format("\\u{:04x}", byte);
    else
      *this << c;
  }
  return *this << '"';
}

void TextOutput::flush() {
  if (good_ && std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    good_ = false;
    problem_ = errno;
  }
  buffer_.clear();
}

Result<void> TextOutput::finish() {
  flush();
  if (good_ && std::fflush(file_.get()) != 0) good_ = false, problem_ = errno;
  if (good_) return {};
  return write_error(name_, problem_);
}

}  // namespace fathom
