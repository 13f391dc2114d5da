// SPDX-License-Identifier: Apache-2.0
/// Where the memory files of a trace are on each node: known from the trace's name alone, so that what is left behind is found again.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace_format/text.h"

namespace fathom::trace {

/// FNV-1a: for names of folders and for telling tables of calls apart.
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// One folder per user and trace; `trace` is absolute.
inline Text<200> memory_folder(std::uint64_t user, std::string_view trace) {
  Text<200> path;
  path.add("/dev/shm/fathom-").number(user).add('-').number(hash_of(trace), 16);
  return path;
}

}  // namespace fathom::trace
