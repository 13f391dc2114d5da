// SPDX-License-Identifier: Apache-2.0
// Not part of the tracer: writes the linker options that put the wrappers into a static program, from the tables of symbols.
#include <cstdio>

#include "tracer/static_symbols.h"

int main() {
  static const char* const wrapped[] = {
#define FATHOM_NAME(name) #name,
      FATHOM_WRAPPED_SYMBOLS
#undef FATHOM_NAME
  };
  // -u: the wrappers name the real functions weakly, and weak names alone take nothing out of an archive.
  for (const char* name : wrapped)
    if (__builtin_strcmp(name, "vfork") != 0) std::printf("-Wl,--wrap=%s\n-Wl,-u,%s\n", name, name);
  return 0;
}
