// SPDX-License-Identifier: Apache-2.0
/// What is said on standard error beside errors: nothing (--quiet), what everybody wants to know, or every step (--verbose).
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace fathom {

enum class Talk { quiet, usual, verbose };

void set_talk(Talk talk);
Talk talk();

/// Text for a terminal: control characters but line ends and tabs, and bytes that are not UTF-8, are shown as '?'. Names of files and what
/// input holds may have any.
std::string printable(std::string_view text);

void tell_text(std::string_view text);
void tell_step_text(std::string_view text);

/// Text, as far as it is printable, unless --quiet was given. Errors do not go this way.
template <class... T>
void tell(fmt::format_string<T...> format, T&&... values) {
  if (talk() != Talk::quiet) tell_text(fmt::format(format, std::forward<T>(values)...));
}

/// A line that only --verbose asks for: what is read, what is in force, how long it took.
template <class... T>
void tell_step(fmt::format_string<T...> format, T&&... values) {
  if (talk() == Talk::verbose) tell_step_text(fmt::format(format, std::forward<T>(values)...));
}

/// A piece of work; when it ends, --verbose hears how long it took.
class Phase {
 public:
  explicit Phase(std::string name) : name_(std::move(name)) {}
  ~Phase() { tell_step("{}: {:.3f} s", name_, seconds()); }
  Phase(const Phase&) = delete;
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::string name_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace fathom
