// SPDX-License-Identifier: Apache-2.0
/// A value, or the reason why there is none.
#pragma once

#include <cassert>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace fathom {

enum class ErrorKind { usage, not_found, unreadable, unwritable, malformed, unsupported, busy, damaged, interrupted };

/// Why an operation failed, in words an operator can act on: what was attempted, what was found, where.
struct [[nodiscard]] Error {
  ErrorKind kind;
  std::string message;
};

/// The names are those of std::expected, so that moving to C++23 changes this file only.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

  Result() requires std::is_void_v<T>
  = default;
  Result(value_type value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  value_type& operator*() & { return *checked(); }
  const value_type& operator*() const& { return *const_cast<Result*>(this)->checked(); }
  value_type&& operator*() && { return std::move(*checked()); }
  value_type* operator->() { return checked(); }
  const value_type* operator->() const { return const_cast<Result*>(this)->checked(); }

  const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  value_type* checked() {
    assert(has_value());
    return std::get_if<0>(&state_);
  }

  std::variant<value_type, Error> state_;
};

}  // namespace fathom

#define FATHOM_JOIN_(a, b) a##b
#define FATHOM_JOIN(a, b) FATHOM_JOIN_(a, b)
#define FATHOM_TRY_NAMED(variable, expression, result) \
  auto result = (expression);                          \
  if (!result) return std::move(result).error();       \
  variable = *std::move(result)
/// Declares `variable` from a Result or returns its error: TRY(auto file, open(path));
#define TRY(variable, expression) FATHOM_TRY_NAMED(variable, expression, FATHOM_JOIN(try_, __LINE__))
/// Returns the error of a Result<void>, if there is one.
#define TRY_VOID(expression) \
  if (auto attempted = (expression); !attempted) return std::move(attempted).error()
