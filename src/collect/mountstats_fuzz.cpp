// SPDX-License-Identifier: Apache-2.0
// Any text is a list of mounts; each has counters, and what it does not have is zero.
#include <cstdlib>

#include "collect/mountstats.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const fathom::NfsMount& mount : fathom::parse_mountstats(text, [](auto, auto, auto) {})) {
    if (mount.has == 0) std::abort();
    for (std::size_t i = 0; i < fathom::counter_count; ++i)
      if (!fathom::holds(mount.has, i) && mount.values[i] != 0) std::abort();
  }
  return 0;
}
