// SPDX-License-Identifier: Apache-2.0
// Any text is a request or an error; a request says the same when it is written and read again, and its scenario is one.
#include <cstdlib>

#include "simulate/scenario.h"
#include "simulate/sweep.h"
#include "simulate/what_if.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::simulate;
  const auto asked = parse_what_if({reinterpret_cast<const char*>(data), size});
  if (!asked) return 0;
  const std::string text = as_json(*asked).dump();
  const auto again = parse_what_if(text);
  if (!again || as_json(*again).dump() != text) std::abort();
  const auto scenario = scenario_text(*asked);
  if (!scenario) return 0;
  const auto read = Scenario::parse(*scenario, "");
  if (!read) std::abort();
  (void)plan_sweep(read->architecture, sweep_words(*asked));
  return 0;
}
