// SPDX-License-Identifier: Apache-2.0
/// Which counters of a store tell the traffic of its servers, each byte and each operation once.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "model/sample.h"
#include "store/store.h"

namespace fathom {

/// Of a server with file systems not its total besides, and job tags only where there is nothing else.
struct LoadCounters {
  std::string filesystem;                      // only this one; empty: all
  Time from = no_time, to = no_time;           // when there are any
  std::set<std::string> servers, filesystems;  // that have some; file systems with a name
  std::set<std::string> with_filesystems;
  std::set<std::pair<std::string, std::string>> untagged;

  bool takes(const SeriesName& name) const;
};

/// What of counters is asked for: bytes, or operations on metadata.
enum class LoadOf { bytes, metadata };

/// `filesystem` empty: all. Only series that count what is asked for.
Result<LoadCounters> load_counters(const Snapshot& snapshot, const std::string& filesystem, LoadOf what = LoadOf::bytes);

}  // namespace fathom
