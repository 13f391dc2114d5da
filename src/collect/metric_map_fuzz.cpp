// SPDX-License-Identifier: Apache-2.0
// Any text is a map of metrics or an error, and names every metric's series or does not.
#include <cstdlib>

#include "collect/metric_map.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto map = fathom::MetricMap::parse({reinterpret_cast<const char*>(data), size}, "map.toml");
  if (!map) return 0;
  const auto metric = fathom::parse_metric_line("x_total{device=\"sda\",instance=\"h:1\"} 5");
  for (const fathom::MetricRule& rule : map->rules()) {
    const auto series = fathom::MetricMap::series(rule, *metric, "h:1");
    if (series && series->server.empty()) std::abort();
  }
  return 0;
}
