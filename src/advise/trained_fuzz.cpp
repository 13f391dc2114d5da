// SPDX-License-Identifier: Apache-2.0
// Any text as a file of weights: refused in words, or taken and written back the same.
#include <cstdlib>
#include <string_view>

#include "advise/trained.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace fathom::advise;
  const auto trained = parse_trained({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!trained) return 0;
  const auto again = parse_trained(as_toml(*trained), "again.toml");
  if (!again || as_toml(*again) != as_toml(*trained)) std::abort();
  for (const double impact : {0.5, 1.2, 5.0}) (void)limit_of(trained->thresholds.of(2e10, 0.3), impact);
  return 0;
}
