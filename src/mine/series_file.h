// SPDX-License-Identifier: Apache-2.0
/// A time series in a CSV file, put on a regular grid.
#pragma once

#include <string>

#include "base/input.h"
#include "mine/series.h"

namespace fathom {

struct SeriesFileOptions {
  std::string column;  // empty: value, or read_bytes + write_bytes
  double step = 0;     // seconds; 0: the usual distance of the times
};

struct SeriesFile {
  TrafficSeries series;
  std::uint64_t rows = 0;
  std::uint64_t left_out = 0;  // rows whose slot had a value already: clocks that jump, files pasted together
};

/// Columns `t` and `value`; or what `fathom timeline --format csv` writes; or numbers alone, one per line, with `step`. Empty cells are
/// unknown.
Result<SeriesFile> read_series_file(const std::string& path, const SeriesFileOptions& options);
Result<SeriesFile> read_series_file(LineInput& input, const SeriesFileOptions& options);

}  // namespace fathom
