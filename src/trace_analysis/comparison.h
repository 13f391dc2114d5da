// SPDX-License-Identifier: Apache-2.0
/// Two traced runs side by side: with and without a hint, a file system layer, a tracer (RIOT Tables 3 and 5, Fig. 8).
#pragma once

#include <string>
#include <vector>

#include "report/table.h"
#include "trace_analysis/bandwidth.h"
#include "trace_analysis/decompose.h"
#include "trace_analysis/finding.h"

namespace fathom::trace {

/// What of a run is compared, gathered in one pass.
class RunNumbers {
 public:
  explicit RunNumbers(const Trace& trace) : trace_(trace), bandwidth_(trace), facts_(trace), concurrency_(Interface::posix) {}
  std::vector<Analysis*> analyses() { return {&bandwidth_, &decompose_, &facts_, &concurrency_}; }

  const Trace& trace() const { return trace_; }
  const Bandwidth& bandwidth() const { return bandwidth_.all(); }
  const DecomposeAnalysis& decomposition() const { return decompose_; }
  const RunFacts& facts() const { return facts_.facts(); }
  const InFlightByDirection& in_flight() const { return concurrency_.all(); }
  std::vector<Finding> findings() const { return find_all({trace_, facts_.facts(), concurrency_.files()}); }

 private:
  const Trace& trace_;
  BandwidthAnalysis bandwidth_;
  DecomposeAnalysis decompose_;
  FactsAnalysis facts_;
  ConcurrencyAnalysis concurrency_;
};

struct ComparedRow {
  std::string section, what;
  Quantity quantity = Quantity::real;
  double a = 0, b = 0;  // not a number: there is none
  std::string note;     // of findings: gone, new, in both

  /// b / a.
  double ratio() const;
};

std::vector<ComparedRow> compare(const RunNumbers& a, const RunNumbers& b);

}  // namespace fathom::trace
