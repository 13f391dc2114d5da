// SPDX-License-Identifier: Apache-2.0
// Any bytes are a truth whose sums are its rows', or an error.
#include <cstdlib>

#include "bench/truth_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  LineInput input = LineInput::from_memory("input", {reinterpret_cast<const char*>(data), size});
  std::uint64_t rows = 0;
  const auto truth = read_bench_truth(input, [&](const BenchTruthRow&) { ++rows; });
  if (!truth) return 0;
  if (truth->head.parameters.size == 0 || truth->rows != rows) std::abort();
  if (truth->rows == 0 && (truth->amounts != Counters{} || truth->first != no_time)) std::abort();
  if (truth->rows > 0 && (truth->first == no_time || truth->last == no_time)) std::abort();
  return 0;
}
