// SPDX-License-Identifier: Apache-2.0
// Any text is the statistics of a block device or not; sectors never overflow to fewer bytes.
#include <cstdlib>

#include "collect/block_stat.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto stat = fathom::parse_block_stat({reinterpret_cast<const char*>(data), size});
  if (stat && (stat->values[0] % 512 != 0 || stat->values[1] % 512 != 0)) std::abort();
  return 0;
}
