// SPDX-License-Identifier: Apache-2.0
#include "simulate/engine.h"

#include <fmt/format.h>

#include "simulate/engine_state.h"

namespace fathom::simulate {

Engine::Engine(const Architecture& architecture, const Work& work, const Pauses* pauses, const CompletionSink& sink, const Watch& watch)
    : architecture_(architecture),
      work_(work),
      pauses_(pauses),
      sink_(sink),
      watch_(watch),
      binary_(architecture.tree_shape == static_cast<std::uint64_t>(TreeShape::binary)),
      nodes_(work.nodes.size()),
      jobs_(work.jobs.size()),
      share_covered_(work.shares.size()),
      disk_up_rate_(architecture.disk_bandwidth),
      disk_down_rate_(architecture.disk_bandwidth) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) set_up(nodes_[n], work.nodes[n]);
  for (std::size_t i = work.shares.size(); i-- > 0;) jobs_[work.shares[i].job].first_share = i;
  outcome_.nodes.resize(nodes_.size());
  outcome_.shares.resize(work.shares.size());
  for (const NodeWork& each : work.nodes) {
    outcome_.pauses.emplace_back(each.steps.size());
    steps_ += each.steps.size();
  }
}

void Engine::set_up(IoNode& node, const NodeWork& work) {
  node.compute_nodes.resize(work.compute_nodes);
  const std::size_t links = binary_ ? work.compute_nodes : architecture_.root_links;
  node.up.resize(links);
  node.down.resize(links);
  node.deliveries.resize(links);
  node.tree_rate = Rate(architecture_.tree_bandwidth);
  node.external_down_rate = node.external.rate = Rate(architecture_.external_bandwidth);
  node.internal.rate = Rate(architecture_.burst_buffer_bandwidth);
  node.page_pool.size = architecture_.page_pool;
  node.burst_buffer.size = architecture_.burst_buffer;
}

void Engine::schedule(Picoseconds time, EventClass what, std::uint32_t node, std::uint32_t compute_node) {
  if (time > time_limit) too_long_ = true;
  events_.push({time, static_cast<std::uint64_t>(what) << 56 | static_cast<std::uint64_t>(node) << 28 | compute_node});
}

Result<Outcome> Engine::run() {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) await_next_step(n);
  while (!events_.empty()) {
    const Event event = events_.pop();
    now_ = event.time;
    constexpr std::uint32_t mask = (1u << 28) - 1;
    handle(static_cast<EventClass>(event.key >> 56), static_cast<std::uint32_t>(event.key >> 28) & mask,
           static_cast<std::uint32_t>(event.key) & mask);
    if (++outcome_.events % 65536 == 0 && watch_) watch_(steps_taken_, steps_);
    if (too_long_ || too_many_) break;
  }
  TRY_VOID(check_limits());
  outcome_.end = now_;
  TRY_VOID(check_conservation());
  return std::move(outcome_);
}

Result<void> Engine::check_limits() const {
  if (too_long_)
    return Error{ErrorKind::unsupported, fmt::format("simulating: a request would take until more than {:.0f} days after the start; "
                                                     "smaller amounts, larger bandwidths or a shorter range are needed",
                                                     in_seconds(time_limit) / 86400)};
  if (too_many_) return Error{ErrorKind::unsupported, fmt::format("simulating: an increment has more than {} requests", most_requests)};
  return {};
}

void Engine::handle(EventClass what, std::uint32_t node, std::uint32_t compute_node) {
  switch (what) {
    case EventClass::delivered:
      return delivered(node, compute_node);
    case EventClass::step:
      return take_step(node);
    case EventClass::sent:
      return sent(node);
    case EventClass::at_disks:
      return at_disks();
    case EventClass::in_buffer:
      return in_buffer(node);
    case EventClass::climbed:
      return climbed(node, compute_node);
    case EventClass::message:
      // A request of a read is on its way up; everything else was an acknowledgement.
      if (nodes_[node].compute_nodes[compute_node].kind == Kind::read) return ask(node, compute_node);
      return completed(node, compute_node);
    default:
      return;
  }
}

/// Nothing is left anywhere, and what was counted is what was generated.
Result<void> Engine::check_conservation() const {
  std::uint64_t counted = 0;
  std::array<std::uint64_t, 2> bytes{};
  std::string left;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const IoNode& node = nodes_[n];
    for (std::size_t i = 0; i < 2; ++i) {
      counted += outcome_.nodes[n].requests[i];
      bytes[i] += outcome_.nodes[n].bytes[i];
    }
    const bool sending = node.external.busy || node.internal.busy || !node.waiting.empty();
    const bool kept =
        node.page_pool.used > 0 || node.burst_buffer.used > 0 || !node.page_pool.writes.empty() || !node.burst_buffer.writes.empty();
    if (sending || kept || !node.batches.empty() || node.step < work_.nodes[n].steps.size()) left = work_.nodes[n].name;
  }
  if (left.empty() && counted == outcome_.requests && acked_ == outcome_.requests && bytes == generated_.bytes) return {};
  return Error{ErrorKind::damaged, fmt::format("simulating: internal error: {} requests and {} + {} bytes were generated, {} acknowledged, "
                                               "{} requests and {} + {} bytes counted{}",
                                               outcome_.requests, generated_.bytes[0], generated_.bytes[1], acked_, counted, bytes[0],
                                               bytes[1], left.empty() ? "" : "; work is left on I/O node " + left)};
}

Result<Outcome> run(const Architecture& architecture, const Work& work, const Pauses* pauses, const CompletionSink& sink,
                    const Watch& watch) {
  return Engine(architecture, work, pauses, sink, watch).run();
}

}  // namespace fathom::simulate
