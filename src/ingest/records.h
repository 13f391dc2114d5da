// SPDX-License-Identifier: Apache-2.0
/// The loop of a reader whose records are lines: every line that is not blank, with the number it has for the user.
#pragma once

#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {

template <class Read>
Result<void> for_each_record(LineInput& input, const ReadOptions& options, Harvest& harvest, const Read& read) {
  std::uint64_t lines = 0;
  TRY_VOID(input.for_each_line([&](std::string_view line, std::uint64_t number) {
    lines = number;
    if (!trim(line).empty()) read(line, number + options.first_line - 1);
    return true;
  }));
  harvest.lines(lines);
  return {};
}

}  // namespace fathom
