// SPDX-License-Identifier: Apache-2.0
/// Polled samples become increments of a store, by the same code as files of `fathom ingest`; one transaction each time.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "collect/latest.h"
#include "ingest/ingest.h"

namespace fathom {

/// What a source is called in the store: one entry for each UTC day, so that `fathom remove` can take a day out.
struct SourceLabel {
  std::string name;    // block:root=/sys/block on node7
  std::string format;  // collect:block
};

/// Writes a batch whose samples' sources are places in `labels`, counted from 1. The writer's lock is held no longer than this takes.
/// The last sample before is asked of the store each time, so that a new process goes on where another one was killed.
Result<MergeCounts> flush(
    const Store& store, Batch batch, std::span<const SourceLabel> labels, Time now, ServerSharing sharing,
    const std::function<void()>& waiting = [] {});

/// The last moments of what collectors have put into a store, of its last two days.
Result<void> load_latest(const Store& store, Latest& latest);

/// Merges the segments of days that are over, and of a day that has very many of them. False when there was nothing to do.
Result<bool> tidy(const Store& store, std::int32_t today);

}  // namespace fathom
