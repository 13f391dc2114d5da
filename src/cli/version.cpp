// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

#include <fmt/format.h>

#include "store/database.h"
#include "store/manifest.h"
#include "trace_format/block.h"

namespace fathom {

std::string version_text() {
#if defined(__clang__)
  constexpr std::string_view compiler = "clang " __clang_version__;
#else
  constexpr std::string_view compiler = "g++ " __VERSION__;
#endif
#ifdef NDEBUG
  constexpr std::string_view checks = "without assertions";
#else
  constexpr std::string_view checks = "with assertions";
#endif
  return fmt::format("fathom {}\nbuilt with {}, {}; DuckDB {}\nstores of format {}, traces of format {}\n", FATHOM_VERSION, compiler,
                     checks, engine_version(), Manifest::current_format, trace::block_version);
}

}  // namespace fathom
