// SPDX-License-Identifier: Apache-2.0
/// Whether requests have the same sizes in every run of a program (criterion 2.3).
#pragma once

#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// The sizes of each unit's reads and writes in order; equal neighbours are kept as one with a number. The one analysis whose memory can
/// follow the calls: where sizes change all the time.
class SizeSequenceAnalysis : public Analysis {
 public:
  SizeSequenceAnalysis(const Trace& trace, Interface layer) : layer_(layer), units_(trace.ranks()) {}
  void take(const Seen& seen) override;

  struct Like {
    std::uint64_t bytes;
    std::uint64_t requests;
  };
  const std::vector<std::vector<Like>>& units() const { return units_; }

 private:
  Interface layer_;
  std::vector<std::vector<Like>> units_;
};

struct FixedSizes {
  std::uint64_t fixed = 0;     // the i-th request of a unit has the same size in all runs
  std::uint64_t variable = 0;  // all others; also requests that some run does not have
};
FixedSizes compare_sizes(const std::vector<const SizeSequenceAnalysis*>& runs);

}  // namespace fathom::trace
