// SPDX-License-Identifier: Apache-2.0
// Any text is the answer to a query or an error; every value has a time.
#include <cstdlib>

#include "collect/metric.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)fathom::parse_metrics_json({reinterpret_cast<const char*>(data), size}, [](const fathom::Metric& metric) {
    if (metric.t == fathom::no_time) std::abort();
    (void)fathom::counter_value(metric.value, 512);
  });
  return 0;
}
