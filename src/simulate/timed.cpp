// SPDX-License-Identifier: Apache-2.0
// Requests with times of their own: every compute node goes through its list, one after the other. Computation between two of them is kept.
#include <algorithm>

#include "simulate/engine_state.h"

namespace fathom::simulate {

void Engine::set_up_timed(std::uint32_t n) {
  IoNode& node = nodes_[n];
  const NodeWork& work = work_.nodes[n];
  if (work.timed.empty()) return;
  std::uint64_t pieces = 0;
  for (const std::vector<TimedRequest>& list : work.timed) {
    node.timed.emplace_back().first_index = pieces;
    outcome_.pauses.requests[n].emplace_back(list.size());
    for (const TimedRequest& each : list) {
      pieces += pieces_of(each.bytes, architecture_.ciod_buffer);
      generated_.bytes[static_cast<std::size_t>(each.kind)] += each.bytes;
    }
    node.timed_left += list.size();
  }
  outcome_.requests += pieces;
  steps_ += node.timed_left;
  if (work.timed_share == no_share) start_timed(n);
}

void Engine::start_timed(std::uint32_t n) {
  for (std::uint32_t c = 0; c < nodes_[n].timed.size(); ++c) {
    nodes_[n].timed[c].answered = now_;
    await_own(n, c);
  }
}

void Engine::await_own(std::uint32_t n, std::uint32_t c) {
  const TimedList& list = nodes_[n].timed[c];
  const std::vector<TimedRequest>& requests = work_.nodes[n].timed[c];
  if (list.next == requests.size()) return;
  const Picoseconds due =
      pauses_ != nullptr ? list.answered + pauses_->requests[n][c][list.next] : std::max(list.answered, requests[list.next].at);
  if (due > now_)
    schedule(n, EventClass::own, c, due);
  else
    send_own(n, c);
}

void Engine::send_own(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  TimedList& list = node.timed[c];
  outcome_.pauses.requests[n][c][list.next] = now_ - list.answered;
  if (node.timed_in_flight++ == 0) node.busy_since = now_;
  list.left = work_.nodes[n].timed[c][list.next].bytes;
  send_piece(n, c);
}

/// What is larger than a CIOD buffer is sent in pieces, each when the one before is answered.
void Engine::send_piece(std::uint32_t n, std::uint32_t c) {
  TimedList& list = nodes_[n].timed[c];
  Lane& lane = nodes_[n].lanes[c];
  lane.busy = true;
  lane.kind = work_.nodes[n].timed[c][list.next].kind;
  lane.bytes = std::min(list.left, architecture_.ciod_buffer);
  if (records_.wanted()) lane.record = records_.begin({n, list.first_index + list.pieces, lane.kind, lane.bytes, now_, 0, 0, c});
  ++list.pieces;
  list.left -= lane.bytes;
  send(n, c);
}

void Engine::own_completed(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  TimedList& list = node.timed[c];
  if (list.left > 0) return send_piece(n, c);
  node.lanes[c].busy = false;
  list.answered = now_;
  ++list.next;
  ++steps_taken_;
  --node.timed_left;
  if (--node.timed_in_flight == 0) {
    const std::uint32_t share = work_.nodes[n].timed_share;
    outcome_.nodes[n].io_time += now_ - node.busy_since;
    if (share != no_share) {
      outcome_.shares[share].io_time += now_ - node.busy_since;
      outcome_.shares[share].end = std::max(outcome_.shares[share].end, now_);
    }
    node.all_finished = std::max(node.all_finished, now_);
  }
  await_own(n, c);
  if (node.quiet()) became_quiet(n);
}

}  // namespace fathom::simulate
