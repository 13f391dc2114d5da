// SPDX-License-Identifier: Apache-2.0
#include "simulate/engine.h"

#include <fmt/format.h>

#include "simulate/engine_state.h"

namespace fathom::simulate {

Engine::Engine(const Architecture& architecture, const Work& work, const Pauses* pauses, const CompletionSink& sink, const Watch& watch)
    : architecture_(architecture),
      work_(work),
      pauses_(pauses),
      watch_(watch),
      binary_(architecture.tree_shape == static_cast<std::uint64_t>(TreeShape::binary)),
      buffer_serves_reads_(architecture.burst_buffer > 0 && (architecture.prefetch > 0 || architecture.read_hits > 0)),
      all_nodes_(static_cast<std::uint32_t>(work.nodes.size())),
      records_(sink),
      nodes_(work.nodes.size()),
      jobs_(work.jobs.size()),
      share_covered_(work.shares.size()),
      disk_up_rate_(architecture.disk_bandwidth),
      disk_down_rate_(architecture.disk_bandwidth),
      stripes_(architecture, work.nodes.size()),
      queue_(work.nodes.size() + 1) {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) set_up(n, work.nodes[n]);
  set_up_pools();
  for (std::size_t i = work.shares.size(); i-- > 0;) jobs_[work.shares[i].job].first_share = i;
  outcome_.nodes.resize(nodes_.size());
  outcome_.shares.resize(work.shares.size());
  outcome_.pauses.requests.resize(nodes_.size());
  for (const NodeWork& each : work.nodes) {
    outcome_.pauses.steps.emplace_back(each.steps.size());
    steps_ += each.steps.size();
  }
}

void Engine::set_up(std::uint32_t n, const NodeWork& work) {
  IoNode& node = nodes_[n];
  const auto lanes_each = static_cast<std::uint32_t>(work.timed.empty() ? architecture_.in_flight : 1);
  node.compute_nodes.resize(work.compute_nodes);
  node.lanes.resize(std::size_t{work.compute_nodes} * lanes_each + (architecture_.prefetch > 0 ? 1 : 0));
  for (std::uint32_t i = 0; i < node.lanes.size(); ++i) node.lanes[i].compute_node = i / lanes_each;
  const std::size_t links = binary_ ? work.compute_nodes : architecture_.root_links;
  node.up.resize(links);
  node.down.resize(links);
  node.deliveries.resize(links);
  node.tree_rate = Rate(architecture_.tree_bandwidth);
  node.external_down_rate = node.external.rate = Rate(architecture_.external_bandwidth);
  node.buffer_down_rate = node.internal.rate = Rate(architecture_.burst_buffer_bandwidth);
  node.pool_room.size = architecture_.page_pool;
}

void Engine::set_up_pools() {
  const auto each = static_cast<std::uint32_t>(architecture_.burst_buffer_shared_by), all = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t first = 0; first < all; first += each) {
    BufferPool pool;
    pool.first = first;
    pool.last = std::min(first + each, all) - 1;
    pool.room.size = architecture_.burst_buffer * (pool.last - first + 1);
    pools_.push_back(pool);
  }
}

void Engine::changed(std::uint32_t agenda) {
  if (agenda != current_) others_changed_.push_back(agenda);
}

void Engine::schedule(std::uint32_t n, Agenda::Place place, Picoseconds time) {
  if (time > time_limit) too_long_ = true;
  nodes_[n].agenda.time[place] = time;
  changed(n);
}

void Engine::schedule(std::uint32_t n, EventClass what, std::uint32_t lane, Picoseconds time) {
  if (time > time_limit) too_long_ = true;
  agenda(n).add(time, what, lane);
  changed(n);
}

/// Whose agenda was changed by the last event: its own, and few others.
void Engine::put_in_queue() {
  queue_.update(current_, agenda(current_).next());
  for (const std::uint32_t other : others_changed_) queue_.update(other, agenda(other).next());
  others_changed_.clear();
}

Result<Outcome> Engine::run() {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    current_ = n;
    set_up_timed(n);
    await_next_step(n);
    put_in_queue();
  }
  while (queue_.top().time != never) {
    const Event event = queue_.top();
    now_ = event.time;
    current_ = AgendaQueue::agenda_of(event);
    handle(event);
    put_in_queue();
    if (++outcome_.events % 65536 == 0 && watch_ && !watch_({steps_taken_, steps_, acked_, now_})) return stop();
    if (too_long_ || too_many_) break;
  }
  if (last_ > time_limit) too_long_ = true;
  TRY_VOID(check_limits());
  outcome_.end = std::max(now_, last_);
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

void Engine::handle(const Event& event) {
  const std::uint32_t n = current_;
  const EventClass what = AgendaQueue::class_of(event);
  const Agenda::Place place = AgendaQueue::place_of(event);
  if (n == all_nodes_) return handle_shared(what);
  if (place == Agenda::others) return handle_other(n, what);
  IoNode& node = nodes_[n];
  // Of two links that are done at the same moment, the one with the smaller lane goes first.
  const auto first_of = [&](Agenda::Place one, const auto& lane_at_front) {
    const bool both = place == one && node.agenda.time[one + 1] == now_;
    const std::size_t link = place != one || (both && lane_at_front(1) < lane_at_front(0)) ? 1 : 0;
    node.agenda.time[one + link] = never;
    return lane_at_front(link);
  };
  switch (place) {
    case Agenda::delivered:
    case Agenda::delivered_too:
      return delivered(n, first_of(Agenda::delivered, [&](std::size_t link) { return node.deliveries[link].front().lane; }));
    case Agenda::climbed:
    case Agenda::climbed_too:
      return climbed(n, first_of(Agenda::climbed, [&](std::size_t link) { return node.up[link].transfers().front().load; }));
    case Agenda::step: node.agenda.time[Agenda::step] = never; return take_step(n);
    case Agenda::sent: node.agenda.time[Agenda::sent] = never; return sent(n);
    default: node.agenda.time[Agenda::in_buffer] = never; return in_buffer(n);
  }
}

void Engine::handle_other(std::uint32_t n, EventClass what) {
  const std::uint32_t lane = nodes_[n].agenda.take();
  switch (what) {
    case EventClass::external_sent: return data_arrived(n, false);
    case EventClass::buffer_sent: return data_arrived(n, true);
    case EventClass::delivered: return delivered(n, lane);
    case EventClass::own: return send_own(n, lane);
    case EventClass::climbed: return climbed(n, lane);
    default: {
      // The request of a read is on its way up; everything else is an acknowledgement.
      const Lane& from = nodes_[n].lanes[lane];
      if (from.kind == Kind::read) return ask(n, lane);
      return from.hop == Hop::back ? back_at_io_node(n, lane) : completed(n, lane);
    }
  }
}

void Engine::handle_shared(EventClass what) {
  const std::uint32_t station = shared_.take();
  if (what == EventClass::at_disks) return at_disks();
  const auto whole = stripes_.leave(now_, what, station, shared_);
  if (!whole) return;
  if (whole->kind == Kind::read)
    answer(whole->node, whole->lane);
  else
    on_disks(whole->node, whole->write);
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
    const bool sending = node.external.busy || node.internal.busy || !node.waiting.empty() || node.prefetch.piece > 0;
    const bool kept = node.pool_room.used > 0 || !node.page_pool.writes.empty() || !node.burst_buffer.writes.empty();
    if (sending || kept || !node.idle() || node.step < work_.nodes[n].steps.size()) left = work_.nodes[n].name;
  }
  for (const BufferPool& pool : pools_) {
    std::uint64_t prefetched = 0;
    for (std::uint32_t n = pool.first; n <= pool.last; ++n) prefetched += nodes_[n].prefetch.here;
    if (pool.room.used != prefetched) left = work_.nodes[pool.first].name;
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
