// SPDX-License-Identifier: Apache-2.0
/// Who waits where: the requests of some I/O nodes in a window of simulated time, for Perfetto and chrome://tracing.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "simulate/outcome.h"
#include "simulate/work.h"

namespace fathom {

/// Keeps the requests that are under way in the window, from the compute node's call to the disks.
class RequestPicture {
 public:
  /// `window` is FROM,TO in simulated time ("90,2min"), empty: all of it; without names of nodes, all of them.
  static Result<RequestPicture> of(const simulate::Work& work, const std::string& window, const std::vector<std::string>& nodes);

  void add(const simulate::Completion& each);
  Result<void> write(const std::string& file);

 private:
  explicit RequestPicture(const simulate::Work& work) : work_(&work), wanted_(work.nodes.size()) {}
  Result<void> choose(const std::vector<std::string>& names);

  const simulate::Work* work_;
  std::vector<bool> wanted_;
  simulate::Picoseconds from_ = 0, to_ = simulate::time_limit;
  std::vector<simulate::Completion> requests_;  // their ways are in ways_, in the same order
  std::vector<simulate::Way> ways_;
  bool too_many_ = false;
};

}  // namespace fathom
