// SPDX-License-Identifier: Apache-2.0
/// In a static program the linker knows the real functions (--wrap gives them the names __real_*); here they get their names back.
#ifdef FATHOM_STATIC

#include <cstring>

#include "tracer/real.h"
#include "tracer/static_symbols.h"

namespace fathom::trace {

#define FATHOM_NAME(name) extern "C" void fathom_static_##name() __asm__("__real_" #name) __attribute__((weak));
FATHOM_WRAPPED_SYMBOLS
#undef FATHOM_NAME
#define FATHOM_NAME(name) extern "C" void fathom_static_##name() __asm__(#name) __attribute__((weak));
FATHOM_HELPING_SYMBOLS FATHOM_MPI_QUESTIONS FATHOM_MPI_OBJECTS
#undef FATHOM_NAME
#define FATHOM_NAME(name) extern "C" void fathom_static_##name() __asm__("P" #name) __attribute__((weak));
    FATHOM_MPI_NAMES
#undef FATHOM_NAME

    namespace {

  struct Real {
    const char* name;
    void (*function)();
  };
  const Real reals[] = {
#define FATHOM_NAME(name) {#name, fathom_static_##name},
      FATHOM_WRAPPED_SYMBOLS FATHOM_HELPING_SYMBOLS FATHOM_MPI_NAMES FATHOM_MPI_QUESTIONS FATHOM_MPI_OBJECTS
#undef FATHOM_NAME
  };

}  // namespace

void find_early() {}

void* find_real(const char* name) {
  for (const Real& each : reals)
    if (std::strcmp(each.name, name) == 0) return reinterpret_cast<void*>(each.function);
  return nullptr;
}

void* find_object(const char* name) { return find_real(name); }

}  // namespace fathom::trace

#endif
