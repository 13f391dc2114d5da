// SPDX-License-Identifier: Apache-2.0
#include "cli/hdf5_process.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "hdf5_rows/hdf5_rows.h"

namespace fathom {

int run_as_hdf5_process(const char* path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  for (const char* way : {"lib", "../lib/fathom", "../lib"}) {
    const std::string place = (folder / way / "fathom-hdf5.so").lexically_normal().string();
    if (!fs::exists(place, problem)) continue;
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto* const write = library == nullptr ? nullptr : reinterpret_cast<WriteHdf5Rows*>(::dlsym(library, hdf5_rows_function));
    if (write != nullptr) return write(path);
    fmt::print(stderr, "{} (is libhdf5 installed? Debian: libhdf5-103-1)", ::dlerror());
    return 1;
  }
  fmt::print(stderr,
             "there is no lib/fathom-hdf5.so beside the program; build and install Fathom where libhdf5 is present (Debian: libhdf5-dev)");
  return 1;
}

}  // namespace fathom
