// SPDX-License-Identifier: Apache-2.0
/// Which series say what a server did in all, whoever asked for it.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "model/sample.h"

namespace fathom {

/// A server that counts its file systems, a total and jobs counts the same bytes several times: the finest counters that are not tagged by
/// job, and the tags where there is nothing else.
class OwnView {
 public:
  void see(const SeriesName& name) {
    int& best = best_[name.server];
    best = std::max(best, rank(name));
  }
  bool holds(const SeriesName& name) const {
    const auto found = best_.find(name.server);
    return found != best_.end() && found->second == rank(name);
  }

 private:
  static int rank(const SeriesName& name) { return !name.job.empty() ? 1 : name.filesystem.empty() ? 2 : 3; }
  std::map<std::string, int, std::less<>> best_;
};

}  // namespace fathom
