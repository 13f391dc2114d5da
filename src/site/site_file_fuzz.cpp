// SPDX-License-Identifier: Apache-2.0
// Any text is a configuration or an error; every setting has a place, a table and, unless it is an empty list, a value.
#include <cstdint>
#include <cstdlib>

#include "site/site_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fathom::site::parse_site_file({reinterpret_cast<const char*>(data), size}, "site.toml");
  if (!file) return 0;
  for (const fathom::site::Setting& setting : file->settings)
    if (setting.table.empty() || setting.table.size() > 2 || !setting.where.starts_with("site.toml:") ||
        (!setting.list && setting.values.size() != 1))
      std::abort();
  return 0;
}
