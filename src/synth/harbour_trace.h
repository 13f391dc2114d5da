// SPDX-License-Identifier: Apache-2.0
/// The folder that `fathom run` would have written for a run of the preset `harbour`: every call, and slices of a second.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "synth/harbour_checkpoint.h"
#include "trace_format/slice.h"

namespace fathom::quayside {

class TraceFolder {
 public:
  explicit TraceFolder(const PlannedJob& job);

  void take(const ClientCall& call);
  /// One file for each node; makes the folder.
  Result<void> write(const std::string& folder) const;

 private:
  struct Rank {
    std::vector<trace::Record> slots;
    std::map<std::int64_t, trace::SliceValues> slices;
    std::uint32_t objects = 0;
    std::uint32_t open_file = 0;
  };
  std::uint64_t ticks(std::int64_t nanoseconds, std::uint32_t rank) const;
  std::uint32_t node_of(std::uint32_t rank) const { return job_.first_node + rank % (ranks / ranks_per_node); }
  void define_file(Rank& rank, ClientFile file);
  void add_to_slices(Rank& rank, const ClientCall& call);
  std::string description(std::uint32_t rank) const;

  const PlannedJob& job_;
  std::vector<Rank> ranks_;
};

}  // namespace fathom::quayside
