// SPDX-License-Identifier: Apache-2.0
// Any text is a series or a refusal; no more rows are left out than there are, and with a step of its own every row has its place.
#include <cstdlib>

#include "mine/series_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const double step : {0.0, 60.0}) {
    LineInput input = LineInput::from_memory("series.csv", text);
    const auto file = read_series_file(input, {.column = "", .step = step});
    if (!file) {
      if (file.error().message.find("series.csv") == std::string::npos) std::abort();
      continue;
    }
    if (file->series.size() == 0 || file->rows == 0 || file->left_out >= file->rows || file->series.step.count() <= 0) std::abort();
  }
  return 0;
}
