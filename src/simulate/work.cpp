// SPDX-License-Identifier: Apache-2.0
#include "simulate/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace fathom::simulate {
namespace {

/// Shares of each node by the start of their jobs.
using NodeShares = std::vector<std::vector<std::uint32_t>>;

NodeShares make_shares(Work& work) {
  NodeShares by_node(work.nodes.size());
  for (std::uint32_t job = 0; job < work.jobs.size(); ++job) {
    std::vector<std::uint32_t>& nodes = work.jobs[job].nodes;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const std::uint32_t node : nodes) {
      by_node[node].push_back(static_cast<std::uint32_t>(work.shares.size()));
      work.shares.push_back({job, node});
    }
  }
  return by_node;
}

Result<void> check_apart(const Work& work, const std::vector<std::uint32_t>& shares) {
  for (std::size_t i = 1; i < shares.size(); ++i) {
    const WorkJob &before = work.jobs[work.shares[shares[i - 1]].job], &after = work.jobs[work.shares[shares[i]].job];
    if (after.start >= before.end) continue;
    return Error{ErrorKind::malformed,
                 fmt::format("preparing the simulation: jobs '{}' and '{}' are on I/O node {} at the same time ({:.6f} to {:.6f} s after "
                             "the start); an I/O node belongs to one job at a time",
                             excerpt(before.id, 40), excerpt(after.id, 40), work.nodes[work.shares[shares[i]].node].name,
                             in_seconds(after.start), in_seconds(std::min(before.end, after.end)))};
  }
  return {};
}

/// The share that has most of the increment; the earlier one when two have as much. `first` is where to begin to look, and moves on.
std::uint32_t owner(const Work& work, const std::vector<std::uint32_t>& shares, const WorkIncrement& increment, std::size_t& first) {
  const auto job_of = [&](std::size_t i) -> const WorkJob& { return work.jobs[work.shares[shares[i]].job]; };
  while (first < shares.size() && job_of(first).end <= increment.start && job_of(first).end < increment.end) ++first;
  std::uint32_t best = no_share;
  Picoseconds most = increment.end > increment.start ? 0 : -1;  // an increment without length belongs to a job that touches it
  for (std::size_t i = first; i < shares.size() && job_of(i).start <= increment.end; ++i) {
    const Picoseconds common = std::min(job_of(i).end, increment.end) - std::max(job_of(i).start, increment.start);
    if (common <= most) continue;
    most = common;
    best = shares[i];
  }
  return best;
}

/// At the same time: who ends, who starts, what they do, and last the end of a job that has no length.
int rank(const Work& work, const Step& step) {
  if (step.what == Step::What::increment) return 2;
  if (step.what == Step::What::job_start) return 1;
  const WorkJob& job = work.jobs[work.shares[step.share].job];
  return job.end > job.start ? 0 : 3;
}

}  // namespace

Result<void> lay_out(Work& work, std::vector<WorkIncrement> increments) {
  std::stable_sort(work.jobs.begin(), work.jobs.end(),
                   [](const WorkJob& a, const WorkJob& b) { return std::tie(a.start, a.end, a.id) < std::tie(b.start, b.end, b.id); });
  const NodeShares by_node = make_shares(work);
  for (const auto& shares : by_node) TRY_VOID(check_apart(work, shares));
  std::stable_sort(increments.begin(), increments.end(), [](const WorkIncrement& a, const WorkIncrement& b) {
    return std::tie(a.node, a.start, a.end) < std::tie(b.node, b.start, b.end);
  });
  std::size_t first = 0;
  std::uint32_t node = 0;
  for (const WorkIncrement& each : increments) {
    if (each.node != node) first = 0;
    node = each.node;
    Step step{each.start, Step::What::increment, owner(work, by_node[node], each, first), each.amounts, each.start, each.end, each.series};
    if (step.share != no_share) step.at = std::max(step.at, work.jobs[work.shares[step.share].job].start);
    work.nodes[node].steps.push_back(step);
  }
  for (std::uint32_t share = 0; share < work.shares.size(); ++share) {
    const WorkJob& job = work.jobs[work.shares[share].job];
    std::vector<Step>& steps = work.nodes[work.shares[share].node].steps;
    steps.push_back({job.start, Step::What::job_start, share, {}, 0, 0, 0});
    steps.push_back({job.end, Step::What::job_end, share, {}, 0, 0, 0});
  }
  for (NodeWork& each : work.nodes)
    std::stable_sort(each.steps.begin(), each.steps.end(),
                     [&](const Step& a, const Step& b) { return a.at != b.at ? a.at < b.at : rank(work, a) < rank(work, b); });
  return {};
}

}  // namespace fathom::simulate
