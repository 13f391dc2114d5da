// SPDX-License-Identifier: Apache-2.0
// read_only_bench FILE: reads a log as ingest does and throws the samples away; prints how many there were.
// What reading alone costs, for tools/bench.
#include <fmt/format.h>

#include "ingest/reader.h"

int main(int argc, char** argv) {
  using namespace fathom;
  if (argc != 2) return 2;
  auto input = LineInput::open(argv[1]);
  if (!input) return fmt::print(stderr, "{}\n", input.error().message), 1;
  auto reader = reader_for(*input);
  if (!reader) return fmt::print(stderr, "{}\n", reader.error().message), 1;
  SeriesTable series;
  Harvest harvest(series, std::size_t{1} << 16, [](Batch& batch) { batch.clear(); });
  harvest.begin_source(argv[1], 1);
  const auto status = (*reader)->read(*input, {}, harvest);
  if (!status) return fmt::print(stderr, "{}\n", status.error().message), 1;
  fmt::print("{} samples of {} series\n", harvest.account().samples, series.size());
  return 0;
}
