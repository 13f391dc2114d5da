// SPDX-License-Identifier: Apache-2.0
#include "simulate/verification.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace fathom::simulate {
namespace {

/// The increments of a node in order, and which requests came from each.
struct NodeCounters {
  std::vector<VerifiedInterval> intervals;
  std::vector<std::size_t> next;  // of the same series; SIZE_MAX: none
  std::vector<std::uint64_t> first_index;

  NodeCounters(const NodeWork& work, std::uint64_t buffer) {
    std::unordered_map<std::uint32_t, std::size_t> last;
    std::uint64_t index = 0;
    for (const Step& step : work.steps) {
      if (step.what != Step::What::increment) continue;
      const auto [before, is_first] = last.try_emplace(step.series, intervals.size());
      if (!is_first) next[before->second] = intervals.size();
      before->second = intervals.size();
      intervals.push_back({step.start, step.end, step.amounts, {}});
      next.push_back(SIZE_MAX);
      first_index.push_back(index);
      index += RequestSequence(step.amounts, buffer).size();
    }
  }

  /// In the interval of its own increment, or a later one of that series. Between two that do not touch, nobody counts.
  void count(const Completion& each) {
    const auto above = std::upper_bound(first_index.begin(), first_index.end(), each.index);
    std::size_t i = static_cast<std::size_t>(above - first_index.begin()) - 1;
    while (i != SIZE_MAX && intervals[i].end < each.stored) i = next[i];
    if (i == SIZE_MAX || intervals[i].start > each.stored) return;
    ++intervals[i].simulated.operations[static_cast<std::size_t>(each.kind)];
    intervals[i].simulated.bytes[static_cast<std::size_t>(each.kind)] += each.bytes;
  }
};

void add(CounterError& error, std::uint64_t real, std::uint64_t simulated, double& sum, std::uint64_t& counted) {
  ++error.increments;
  if (real != simulated) ++error.with_error;
  if (real == 0) {
    error.unexpected += simulated > 0;
    return;
  }
  ++counted;
  sum += static_cast<double>(real > simulated ? real - simulated : simulated - real) / static_cast<double>(real);
}

}  // namespace

Result<Verification> verify(const Architecture& architecture, const Work& work, const Watch& watch) {
  std::vector<NodeCounters> nodes;
  for (const NodeWork& node : work.nodes) nodes.emplace_back(node, architecture.ciod_buffer);
  const CompletionSink count = [&](const Completion& each) { nodes[each.node].count(each); };
  TRY(const Outcome outcome, run(architecture, work, nullptr, count, watch));
  Verification found;
  found.stopped = outcome.stopped;
  for (NodeCounters& node : nodes) {
    if (outcome.stopped) std::erase_if(node.intervals, [&](const VerifiedInterval& each) { return each.end > outcome.end; });
    found.nodes.push_back(std::move(node.intervals));
  }
  auto& errors = found.errors;
  constexpr std::array<std::string_view, 4> names = {"read_bytes", "read_ops", "write_bytes", "write_ops"};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i].counter = names[i];
    double sum = 0;
    std::uint64_t counted = 0;
    for (const auto& intervals : found.nodes)
      for (const VerifiedInterval& each : intervals) {
        const auto member = i % 2 == 0 ? &Amounts::bytes : &Amounts::operations;
        add(errors[i], (each.real.*member)[i / 2], (each.simulated.*member)[i / 2], sum, counted);
      }
    errors[i].average_error = counted > 0 ? sum / static_cast<double>(counted) : std::nan("");
  }
  return found;
}

}  // namespace fathom::simulate
