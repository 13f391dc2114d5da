// SPDX-License-Identifier: Apache-2.0
#include "simulate/timed_work.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::simulate {
namespace {

/// Compute nodes of each I/O node that clients need.
Result<std::vector<std::uint32_t>> nodes_for(const Scenario& scenario, std::size_t clients) {
  const std::vector<std::uint32_t> described = scenario.compute_nodes();
  std::vector<std::uint32_t> taken;
  std::size_t room = 0;
  while (room < clients && (described.empty() || taken.size() < described.size())) {
    taken.push_back(described.empty() ? usual_compute_nodes : described[taken.size()]);
    room += taken.back();
  }
  if (room >= clients) return taken;
  return scenario.wrong(
      fmt::format("it has {} compute nodes, and {} processes or threads made requests: raise the count of [[io_nodes]], or "
                  "leave it out (128 compute nodes each)",
                  room, clients));
}

Result<void> check(const TimedRun& run) {
  if (run.clients.empty()) return Error{ErrorKind::not_found, "preparing the simulation: nobody read or wrote anything"};
  Picoseconds last = run.end;
  for (const Client& client : run.clients)
    for (const TimedRequest& each : client.requests) {
      if (each.at < 0)
        return Error{ErrorKind::malformed, fmt::format("preparing the simulation: {} makes a request before the run begins", client.name)};
      last = std::max(last, each.at);
    }
  if (last <= time_limit / 2) return {};
  return Error{ErrorKind::unsupported, "preparing the simulation: a run of more than 26 days is too long"};
}

}  // namespace

Result<Work> timed_work(const Scenario& scenario, TimedRun run) {
  std::erase_if(run.clients, [](const Client& each) { return each.requests.empty(); });
  TRY_VOID(check(run));
  TRY(const std::vector<std::uint32_t> nodes, nodes_for(scenario, run.clients.size()));
  Work work;
  WorkJob job{run.job, 0, run.end, {}};
  std::size_t next = 0;
  for (const std::uint32_t compute_nodes : nodes) {
    NodeWork node{std::to_string(work.nodes.size()), compute_nodes, {}};
    node.timed.resize(compute_nodes);
    for (std::uint32_t c = 0; c < compute_nodes && next < run.clients.size(); ++c, ++next) {
      node.timed[c] = std::move(run.clients[next].requests);
      std::stable_sort(node.timed[c].begin(), node.timed[c].end(),
                       [](const TimedRequest& a, const TimedRequest& b) { return a.at < b.at; });
      job.end = std::max(job.end, node.timed[c].back().at);
    }
    job.nodes.push_back(static_cast<std::uint32_t>(work.nodes.size()));
    work.nodes.push_back(std::move(node));
  }
  work.jobs.push_back(std::move(job));
  TRY_VOID(lay_out(work, {}));
  for (std::uint32_t share = 0; share < work.shares.size(); ++share) work.nodes[work.shares[share].node].timed_share = share;
  return work;
}

}  // namespace fathom::simulate
