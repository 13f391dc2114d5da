// SPDX-License-Identifier: Apache-2.0
/// A question to a library of the traced program: a function of it that is looked for when it is first called.
#pragma once

#include "tracer/real.h"

namespace fathom::trace {

template <class Result, class... T>
class Question {
 public:
  /// `absent` is the answer if the library does not have the function.
  constexpr Question(const char* name, Result absent) : name_(name), absent_(absent) {}
  Result operator()(T... arguments) {
    if (!real_) real_ = reinterpret_cast<Result (*)(T...)>(find_real(name_));
    return real_ ? real_(arguments...) : absent_;
  }

 private:
  const char* name_;
  Result absent_;
  Result (*real_)(T...) = nullptr;
};

}  // namespace fathom::trace
