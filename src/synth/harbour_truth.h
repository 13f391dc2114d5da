// SPDX-License-Identifier: Apache-2.0
/// truth/*.csv of the preset `harbour`: what its jobs really did, as the clients and as the servers see it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "synth/harbour_checkpoint.h"

namespace fathom::quayside {

/// What the clients of the traced run did in each step of the collector's grid.
class ClientSteps {
 public:
  void take(const ClientCall& call);
  const std::map<std::int64_t, Amounts>& steps() const { return steps_; }

 private:
  std::map<std::int64_t, Amounts> steps_;
};

struct Played {
  const std::vector<PlannedJob>& jobs;
  const Traffic& traffic;
  ClientSteps clients;  // of the traced run
  RunTruth traced;
};

Result<void> write_truth(const Played& played, const std::string& directory);

}  // namespace fathom::quayside
