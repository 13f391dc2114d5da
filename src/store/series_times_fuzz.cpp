// SPDX-License-Identifier: Apache-2.0
// Any text is a note of series' times or none; one that is understood says the same when it is noted and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "store/series_times.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  const auto times = times_from_note({reinterpret_cast<const char*>(data), size});
  if (!times) return 0;
  for (const auto& [name, each] : *times) (void)each.lengths.median();
  const auto notes = notes_for(*times);
  if (notes.empty()) return 0;
  const auto again = times_from_note(notes.front().value);
  if (!again || *again != *times) std::abort();
  return 0;
}
