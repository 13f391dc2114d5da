// SPDX-License-Identifier: Apache-2.0
// Any bytes are training runs that can be learned from, or an error.
#include <cmath>
#include <cstdlib>

#include "advise/trained.h"
#include "advise/training_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  LineInput input = LineInput::from_memory("input", {reinterpret_cast<const char*>(data), size});
  const auto points = advise::read_training_runs(input);
  if (!points) return 0;
  for (const auto& point : *points)
    if (!std::isfinite(point.normalised) || point.normalised < 0 || point.load.size() != points->front().load.size()) std::abort();
  advise::LoadSettings load;
  load.bands = {1e6, 1e6 * static_cast<double>(points->front().load.size())};
  const auto trained = advise::train(*points, load, "fuzz");
  if (!trained) return 0;  // numbers of very different size may be too much for the linear program; it says so
  for (std::size_t i = 1; i < trained->weights.size(); ++i)
    if (!(trained->weights[i] >= trained->weights[i - 1])) std::abort();
  return 0;
}
