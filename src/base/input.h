// SPDX-License-Identifier: Apache-2.0
/// A log file as a stream of whole lines, unpacked on the way (.gz, .zst by content), never all of it in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

class LineInput {
 public:
  static constexpr std::size_t longest_line = 16u << 20;
  /// Bytes behind every block that may be read (not trusted), so that scanners can look at many bytes at once.
  static constexpr std::size_t slack = 64;

  static Result<LineInput> open(const std::string& path);
  /// What another process writes into a pipe; the descriptor is closed at the end. Never unpacked.
  static LineInput from_descriptor(int descriptor, std::string name);
  /// For tests and fuzzing: as if a file of that name held `text`.
  static LineInput from_memory(std::string name, std::string_view text);
  LineInput(LineInput&&) noexcept;
  LineInput& operator=(LineInput&&) noexcept;
  ~LineInput();

  const std::string& path() const;
  /// The first bytes, unpacked; what follows still starts with them.
  std::string_view peek(std::size_t bytes = 64u << 10);
  /// The next block of whole lines (each ends in '\n' but perhaps the file's last), or nothing at the end. Of a damaged file: all lines
  /// before the damage, and not what is left of the one in which it is.
  std::optional<std::string_view> next_block();
  /// What stopped the stream before its end (a read error, a broken archive); asked after next_block() gave nothing.
  Result<void> status() const;
  /// Lines longer than longest_line: passed over, counted.
  std::uint64_t overlong_lines() const;

  std::uint64_t stored_bytes() const;       // the file's size on disk
  std::uint64_t stored_bytes_read() const;  // how much of it was consumed, for progress
  /// 128-bit hash of the stored bytes, hex; complete once the end was reached.
  std::string content_hash() const;

  /// Calls handle(line, line_number) for every line, without its end; false from `handle` stops.
  template <class Handle>
  Result<void> for_each_line(Handle&& handle) {
    std::uint64_t number = 0;
    while (auto block = next_block()) {
      const char* at = block->data();
      const char* const end = at + block->size();
      while (at < end) {
        const char* newline = static_cast<const char*>(__builtin_memchr(at, '\n', static_cast<std::size_t>(end - at)));
        const char* const stop = newline != nullptr ? newline : end;
        const char* last = stop;
        if (last > at && last[-1] == '\r') --last;
        ++number;
        if (!handle(std::string_view(at, static_cast<std::size_t>(last - at)), number)) return {};
        at = stop + 1;
      }
    }
    return status();
  }

 private:
  struct State;
  explicit LineInput(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The hash that content_hash() would give, without parsing.
Result<std::string> hash_file(const std::string& path);

}  // namespace fathom
