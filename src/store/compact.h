// SPDX-License-Identifier: Apache-2.0
/// One segment per table and day instead of many; the content stays the same.
#pragma once

#include "store/store.h"

namespace fathom {

struct CompactReport {
  std::uint64_t segments_before = 0, segments_after = 0, bytes_before = 0, bytes_after = 0;
};

/// Commits as it goes, so that a long run that is killed has done part of its work.
Result<CompactReport> compact(Transaction& transaction);

}  // namespace fathom
