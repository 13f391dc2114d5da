// SPDX-License-Identifier: Apache-2.0
/// Wrappers from a table of symbols.
#pragma once

#include "tracer/real.h"
#include "tracer/shapes.h"

/// A symbol that nobody else defines can only have been a weak one: then the call fails as a call that the system does not have.
#define FATHOM_GENERATE(name, type, parameters, arguments, shape)                        \
  FATHOM_WRAPPER(name, type, parameters) {                                               \
    const auto real = FATHOM_FIND(name, type, parameters);                               \
    if (__builtin_expect(real == nullptr, 0)) return ::fathom::trace::not_there<type>(); \
    const std::uint64_t start = ticks();                                                 \
    type const result = real arguments;                                                  \
    const Span time{start, ticks()};                                                     \
    shape;                                                                               \
    return result;                                                                       \
  }

#define FATHOM_ALIAS(alias_name, name)                                                                              \
  extern "C" FATHOM_EXPORT decltype(fathom_wrap_##name) fathom_wrap_##alias_name __asm__(FATHOM_SYMBOL(alias_name)) \
      __attribute__((alias(FATHOM_SYMBOL(name))));

#define FATHOM_BY_HAND(name)

namespace fathom::trace {

template <class T>
T not_there() {
  errno = ENOSYS;
  if constexpr (std::is_pointer_v<T>)
    return nullptr;
  else
    return static_cast<T>(-1);
}

}  // namespace fathom::trace
