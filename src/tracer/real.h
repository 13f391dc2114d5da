// SPDX-License-Identifier: Apache-2.0
/// The function that a wrapper stands before: found at run time, or given by the linker in a static program (--wrap).
#pragma once

namespace fathom::trace {

/// The next definition of a symbol after this library's; looked for in every library that is loaded, also those loaded later on.
void* find_real(const char* name);
/// An object of a library: where the program sees it, which may be a copy in the program itself.
void* find_object(const char* name);

/// Looked for when the library is loaded: later the loader's lock may be held by a thread that waits for this one. Sources that define
/// FATHOM_IN_C_LIBRARY wrap functions that are there from the start (looking for others in vain would allocate memory).
struct Early {
  const char* name;
  void** place;
};
void find_early();

}  // namespace fathom::trace

#define FATHOM_EXPORT __attribute__((visibility("default"), used))

#ifdef FATHOM_STATIC
#define FATHOM_SYMBOL(name) "__wrap_" #name
#else
#define FATHOM_SYMBOL(name) #name
#endif
#ifdef FATHOM_IN_C_LIBRARY
#define FATHOM_EARLY(variable, name)                                                                                              \
  [[maybe_unused]] __attribute__((section("fathom_early"), used)) static const ::fathom::trace::Early fathom_early_##variable = { \
      name, reinterpret_cast<void**>(&variable)}
#else
#define FATHOM_EARLY(variable, name) static_assert(true)
#endif
#define FATHOM_REAL(name, type, parameters)                               \
  [[maybe_unused]] static type(*fathom_real_##name) parameters = nullptr; \
  FATHOM_EARLY(fathom_real_##name, #name)
/// A race here finds the same thing twice.
#define FATHOM_FIND(name, type, parameters)           \
  (__builtin_expect(fathom_real_##name != nullptr, 1) \
       ? fathom_real_##name                           \
       : (fathom_real_##name = reinterpret_cast<type(*) parameters>(::fathom::trace::find_real(#name))))

/// A wrapper: a definition of the symbol under another C++ name, so that the C library's own declarations do not matter.
#define FATHOM_WRAPPER(name, type, parameters)                                              \
  FATHOM_REAL(name, type, parameters);                                                      \
  extern "C" FATHOM_EXPORT type fathom_wrap_##name parameters __asm__(FATHOM_SYMBOL(name)); \
  type fathom_wrap_##name parameters
