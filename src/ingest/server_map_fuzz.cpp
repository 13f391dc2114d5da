// SPDX-License-Identifier: Apache-2.0
// Any text is a server map or an error; its first line, taken as a node list, must map to sorted servers.
#include <algorithm>
#include <cstdlib>

#include "ingest/server_map.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto map = fathom::ServerMap::parse(text, "map.toml");
  std::uint64_t unmapped = 0;
  const auto servers =
      (map ? *map : fathom::ServerMap::jugene()).servers_of(text.substr(0, std::min<std::size_t>(text.find('\n'), 200)), unmapped);
  if (!std::is_sorted(servers.begin(), servers.end())) std::abort();
  return 0;
}
