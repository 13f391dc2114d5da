// SPDX-License-Identifier: Apache-2.0
// Any text is a page of metrics with bad lines; a metric that is written again by our own page is read again.
#include <cstdlib>

#include "collect/metric.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fathom::parse_metrics_page(
      text,
      [](fathom::Metric&& metric) {
        if (metric.name.empty() || metric.value.empty()) std::abort();
        (void)fathom::counter_value(metric.value, 1);
        std::string line = metric.name + "{";
        for (const auto& [key, value] : metric.labels) {
          line += key + "=\"";
          for (const char c : value)
            line += c == '\n' ? std::string("\\n") : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
          line += "\",";
        }
        const auto again = fathom::parse_metric_line(line + "} " + metric.value);
        if (!again || again->labels != metric.labels) std::abort();
      },
      [](std::uint64_t, std::string_view) {});
  return 0;
}
