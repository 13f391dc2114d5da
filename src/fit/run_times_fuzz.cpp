// SPDX-License-Identifier: Apache-2.0
// Any bytes are runs that make sense and can be fitted (or not), or an error.
#include <cmath>
#include <cstdlib>

#include "fit/fit_runs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  LineInput input = LineInput::from_memory("input", {reinterpret_cast<const char*>(data), size});
  const auto runs = fit::read_run_times(input);
  if (!runs) return 0;
  for (const fit::RunTime& run : *runs)
    if (!(run.bytes > 0 && run.seconds > 0 && run.nodes > 0 && run.tasks >= 0 && std::isfinite(run.bytes + run.seconds))) std::abort();
  const auto fitted = fit::fit_runs(*runs, {});
  if (!fitted) return 0;
  for (const fit::Fitted& each : *fitted)
    if (each.value && (std::isnan(*each.value) || (each.lower && *each.lower > *each.value) || (each.upper && *each.upper < *each.value)))
      std::abort();
  return 0;
}
