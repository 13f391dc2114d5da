// SPDX-License-Identifier: Apache-2.0
/// Taking what one file brought out of a store again.
#pragma once

#include <string>
#include <vector>

#include "model/sample.h"
#include "store/store.h"

namespace fathom {

struct RemoveReport {
  SourceId id = 0;
  std::string name;
  std::uint64_t samples = 0, jobs = 0;
  /// Files that held some of the same samples: they may be ingested again.
  std::vector<std::string> ingest_again;
};

/// `source` is an id or a name.
Result<RemoveReport> remove_source(Transaction& transaction, const std::string& source);

}  // namespace fathom
