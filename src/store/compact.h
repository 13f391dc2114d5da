// SPDX-License-Identifier: Apache-2.0
/// One segment per table and day instead of many; the content stays the same.
#pragma once

#include <functional>

#include "store/store.h"

namespace fathom {

struct CompactReport {
  std::uint64_t segments_before = 0, segments_after = 0, bytes_before = 0, bytes_after = 0;
};

/// Which segments of a table and day are merged; as it stands, all where there are two, or one of an older format.
struct CompactChoice {
  /// Days in [since, finished_before) are merged where they have two segments. Tables without days have no end.
  std::int32_t since = INT32_MIN;
  std::int32_t finished_before = INT32_MAX;
  std::size_t crowded = 2;  // other days, from this many on

  bool takes(bool by_day, std::int32_t day, std::size_t segments, bool outdated) const {
    if (segments < 2 && !outdated) return false;
    return segments >= crowded || (by_day ? day >= since && day < finished_before : outdated && crowded <= 2);
  }
};

bool anything_to_compact(const Manifest& manifest, const CompactChoice& choice);

/// Commits as it goes, so that a long run that is killed has done part of its work. `progress` is told rows.
Result<CompactReport> compact(
    Transaction& transaction, const CompactChoice& choice = {},
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = [](std::uint64_t, std::uint64_t) {});

}  // namespace fathom
