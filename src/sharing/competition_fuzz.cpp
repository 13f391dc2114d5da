// SPDX-License-Identifier: Apache-2.0
// Any text is a scenario or an error; what is predicted from one is finite, and nobody is faster than alone when the bandwidth is its own.
#include <cmath>
#include <cstdlib>

#include "sharing/what_if.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::sharing;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto scenario = Scenario::parse(text, "model.toml");
  if (!scenario) return 0;
  static_cast<void>(apply_what_if(*scenario, text.substr(0, text.find('\n'))));
  if (const auto prediction = predict(*scenario)) {
    for (std::size_t i = 0; i < scenario->applications.size(); ++i) {
      if (!std::isfinite(prediction->concurrent(i)) || prediction->concurrent(i) < 0) std::abort();
      if (scenario->per_application() && prediction->slowdown(i) < 1 - 1e-6) std::abort();
    }
  }
  static_cast<void>(standalone_from_observed(*scenario));
  return 0;
}
