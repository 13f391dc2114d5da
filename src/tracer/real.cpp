// SPDX-License-Identifier: Apache-2.0
#include "tracer/real.h"

#ifndef FATHOM_STATIC

#include <dlfcn.h>
#include <link.h>

#include <cerrno>
#include <cstddef>

namespace fathom::trace {
namespace {

constexpr int most_libraries = 512;
struct Libraries {
  const char* names[most_libraries];
  int count = 0;
};

int note_library(struct dl_phdr_info* info, std::size_t, void* data) {
  auto* const libraries = static_cast<Libraries*>(data);
  if (info->dlpi_name && *info->dlpi_name && libraries->count < most_libraries) libraries->names[libraries->count++] = info->dlpi_name;
  return 0;
}

void* base_of(void* symbol) {
  Dl_info where;
  return dladdr(symbol, &where) != 0 ? where.dli_fbase : nullptr;
}

}  // namespace

extern "C" const Early __start_fathom_early[] __attribute__((visibility("hidden")));
extern "C" const Early __stop_fathom_early[] __attribute__((visibility("hidden")));

void find_early() {
  for (const Early* each = __start_fathom_early; each != __stop_fathom_early; ++each)
    if (!*each->place) *each->place = dlsym(RTLD_NEXT, each->name);
}

namespace {

void* look_everywhere(const char* name) {
  // Libraries that were opened with RTLD_LOCAL (a Python module's MPI) are not in the global scope: each is asked by itself.
  Libraries libraries;
  dl_iterate_phdr(note_library, &libraries);
  void* const own = base_of(reinterpret_cast<void*>(&find_real));
  for (int i = 0; i < libraries.count; ++i) {
    void* const library = dlopen(libraries.names[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_LOCAL);
    if (!library) continue;
    void* const found = dlsym(library, name);
    dlclose(library);
    if (found && base_of(found) != own) return found;
  }
  return nullptr;
}

}  // namespace

void* find_real(const char* name) {
  const int kept = errno;
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) found = look_everywhere(name);
  errno = kept;
  return found;
}

void* find_object(const char* name) {
  void* const seen = dlsym(RTLD_DEFAULT, name);
  return seen ? seen : find_real(name);
}

}  // namespace fathom::trace

#endif
