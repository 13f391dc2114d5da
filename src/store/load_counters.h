// SPDX-License-Identifier: Apache-2.0
/// Which counters of a store tell the traffic of its servers, each byte once.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "model/sample.h"
#include "store/store.h"

namespace fathom {

/// Of a server with file systems not its total besides, and job tags only where there is nothing else.
struct LoadCounters {
  std::string filesystem;             // only this one; empty: all
  Time from = no_time, to = no_time;  // when there are any
  std::set<std::string> servers, filesystems;  // that have some; file systems with a name
  std::set<std::string> with_filesystems;
  std::set<std::pair<std::string, std::string>> untagged;

  bool takes(const SeriesName& name) const;
};

/// `filesystem` empty: all.
Result<LoadCounters> load_counters(const Snapshot& snapshot, const std::string& filesystem);

}  // namespace fathom
