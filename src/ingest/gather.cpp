// SPDX-License-Identifier: Apache-2.0
// Apart from the list of readers: the fuzz target of one reader has nothing of the others.
#include "ingest/reader.h"

namespace fathom {

Result<Gathered> gather(const Reader& reader, LineInput input, const ReadOptions& options) {
  Gathered gathered;
  Harvest harvest(gathered.series, SIZE_MAX, [&](Batch& batch) { gathered.batch = std::move(batch); });
  harvest.begin_source(input.path(), 1);
  TRY_VOID(reader.read(input, options, harvest));
  harvest.flush();
  gathered.account = harvest.account();
  return gathered;
}

Result<Gathered> gather(const Reader& reader, std::string_view text, const ReadOptions& options, std::string name) {
  return gather(reader, LineInput::from_memory(std::move(name), text), options);
}

}  // namespace fathom
