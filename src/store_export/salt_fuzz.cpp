// SPDX-License-Identifier: Apache-2.0
// Any text is a salt, which written again reads the same, or none.
#include <cstdlib>

#include "base/sha256.h"
#include "store_export/salt.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto salt = fathom::parse_salt(text);
  if (salt && !text.starts_with(fathom::hex_digits(*salt))) std::abort();
  return 0;
}
