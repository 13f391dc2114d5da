// SPDX-License-Identifier: Apache-2.0
/// When each server was measured: what part of a job's time its counters cover.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace fathom {

class Coverage {
 public:
  static Result<Coverage> of(const Snapshot& snapshot, Database& database);

  /// The share of the servers' time in [start, end] that was measured, the mean over their series; a server without
  /// counters counts as not measured. Nothing when there are no servers or no time.
  std::optional<double> share(const std::vector<std::string>& servers, Time start, Time end) const;

 private:
  struct Stretch {
    Time start, end;
  };
  using Series = std::vector<Stretch>;  // sorted, apart from each other
  std::map<std::string, std::vector<Series>> servers_;
};

}  // namespace fathom
