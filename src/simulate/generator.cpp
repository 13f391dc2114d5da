// SPDX-License-Identifier: Apache-2.0
// The steps of a node's work: when increments and jobs begin, and which request a compute node sends next.
#include <algorithm>

#include "simulate/engine_state.h"

namespace fathom::simulate {

/// Computation is kept: a step comes as long after the end of all I/O before it as in the other run. Where I/O of before was still under
/// way there, nobody computed in between, and the step is as late as the one before it, or comes when that I/O is done, whichever is first.
void Engine::await_next_step(std::uint32_t n) {
  IoNode& node = nodes_[n];
  const std::vector<Step>& steps = work_.nodes[n].steps;
  if (node.held || node.step == steps.size()) return;
  const bool idle = node.idle();
  Picoseconds due = steps[node.step].at;
  if (pauses_ != nullptr) {
    const Picoseconds pause = pauses_->steps[n][node.step];
    if (pause >= 0 && !idle) return;
    due = pause >= 0 ? node.all_finished + pause : idle ? now_ : std::max(now_, due + node.shift);
  }
  schedule(n, Agenda::step, due);
}

void Engine::take_step(std::uint32_t n) {
  IoNode& node = nodes_[n];
  outcome_.pauses.steps[n][node.step] = node.idle() ? now_ - node.all_finished : -1;
  const Step& step = work_.nodes[n].steps[node.step];
  switch (step.what) {
    case Step::What::job_start: return start_job(n, step.share);
    case Step::What::job_end:
      outcome_.shares[step.share].end = std::max(outcome_.shares[step.share].end, now_);
      if (nodes_[n].prefetch.share == step.share) {
        give_up_prefetch(n);
        room_became_free(n);
      }
      break;
    case Step::What::increment: start_increment(n, step); break;
  }
  finish_step(n);
}

void Engine::finish_step(std::uint32_t n) {
  IoNode& node = nodes_[n];
  node.shift = now_ - work_.nodes[n].steps[node.step].at;
  node.all_finished = std::max(node.all_finished, now_);
  ++node.step;
  ++steps_taken_;
  await_next_step(n);
}

/// The re-scheduler (Fig. 5.12): the last node of a job that is ready starts it on all of them.
void Engine::start_job(std::uint32_t n, std::uint32_t share) {
  const std::uint32_t job = work_.shares[share].job;
  JobState& state = jobs_[job];
  nodes_[n].held = true;
  if (++state.ready < work_.jobs[job].nodes.size()) return;
  for (std::size_t i = 0; i < state.ready; ++i) {
    const std::size_t each = state.first_share + i;
    outcome_.shares[each].start = now_;
    nodes_[work_.shares[each].node].held = false;
    finish_step(work_.shares[each].node);
    if (architecture_.prefetch > 0) begin_prefetch(work_.shares[each].node, static_cast<std::uint32_t>(each));
    if (work_.nodes[work_.shares[each].node].timed_share == each) start_timed(work_.shares[each].node);
  }
}

void Engine::start_increment(std::uint32_t n, const Step& step) {
  IoNode& node = nodes_[n];
  const auto compute_nodes = static_cast<std::uint32_t>(node.compute_nodes.size());
  const RequestSequence requests(step.amounts, architecture_.ciod_buffer);
  const std::uint64_t size = requests.size();
  if (size > most_requests) too_many_ = true;
  if (size == 0 || too_many_) return;
  node.batches.push({requests, requests.stride(compute_nodes), node.next_index, size, node.next_compute_node, step.share, now_, now_});
  for (std::size_t i = 0; i < 2; ++i) generated_.bytes[i] += step.amounts.bytes[i];
  outcome_.requests += size;
  node.next_index += size;
  const std::uint32_t first = node.next_compute_node;
  node.next_compute_node = static_cast<std::uint32_t>((first + size) % compute_nodes);
  const auto lanes_each = static_cast<std::uint32_t>(architecture_.in_flight);
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(size, compute_nodes); ++i) {
    const std::uint32_t lane = (first + i) % compute_nodes * lanes_each;
    for (std::uint32_t j = 0; j < lanes_each; ++j)
      if (!node.lanes[lane + j].busy) issue_next(n, lane + j);
  }
}

/// Requests are dealt round robin: compute node c has number (c - first) mod C of the batch, and every C-th from there.
bool Engine::next_request(std::uint32_t n, Lane& lane) {
  IoNode& node = nodes_[n];
  ComputeNode& from = node.compute_nodes[lane.compute_node];
  if (from.batch < node.first_batch) {
    from.batch = node.first_batch;
    from.begun = false;
  }
  for (; from.batch < node.first_batch + node.batches.size(); ++from.batch, from.begun = false) {
    const Batch& batch = node.batches[from.batch - node.first_batch];
    if (!from.begun) {
      const std::uint64_t compute_nodes = node.compute_nodes.size();
      from.next = batch.requests.place((lane.compute_node + compute_nodes - batch.first_compute_node) % compute_nodes);
      from.begun = true;
    }
    if (from.next.index >= batch.requests.size()) continue;
    const Request request = batch.requests[from.next];
    lane.kind = request.kind;
    lane.bytes = request.bytes;
    lane.batch = from.batch;
    if (records_.wanted()) {
      lane.record = records_.begin({n, batch.first_index + from.next.index, lane.kind, lane.bytes, now_, 0, 0, lane.compute_node});
    }
    batch.requests.advance(from.next, batch.stride);
    return true;
  }
  return false;
}

void Engine::issue_next(std::uint32_t n, std::uint32_t lane) {
  Lane& from = nodes_[n].lanes[lane];
  from.busy = next_request(n, from);
  if (from.busy) send(n, lane);
}

void Engine::send(std::uint32_t n, std::uint32_t lane) {
  Lane& from = nodes_[n].lanes[lane];
  from.link = entry_link(from.compute_node);
  from.hop = Hop::tree;
  if (from.kind == Kind::write)
    climb(n, lane);
  else
    ask(n, lane);
}

/// The acknowledgement or the data is at the compute node.
void Engine::completed(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  ++acked_;
  outcome_.nodes[n].end = now_;
  if (!node.timed.empty()) return own_completed(n, lane);
  Batch& batch = node.batches[node.lanes[lane].batch - node.first_batch];
  --batch.unfinished;
  batch.finish = now_;
  if (batch.unfinished == 0) retire_batches(n);
  issue_next(n, lane);
}

/// I/O time is the union of [start, finish] of the increments, of a node and of a job on it.
void Engine::retire_batches(std::uint32_t n) {
  IoNode& node = nodes_[n];
  const auto extend = [](Picoseconds& total, Picoseconds& covered, const Batch& batch) {
    total += std::max<Picoseconds>(0, batch.finish - std::max(batch.start, covered));
    covered = std::max(covered, batch.finish);
  };
  while (!node.batches.empty() && node.batches.front().unfinished == 0) {
    const Batch batch = node.batches.pop();
    ++node.first_batch;
    node.all_finished = std::max(node.all_finished, batch.finish);
    extend(outcome_.nodes[n].io_time, node.covered, batch);
    if (batch.share == no_share) continue;
    ShareOutcome& share = outcome_.shares[batch.share];
    extend(share.io_time, share_covered_[batch.share], batch);
    share.end = std::max(share.end, batch.finish);
  }
  if (node.quiet()) became_quiet(n);
}

void Engine::became_quiet(std::uint32_t n) {
  if (pauses_ != nullptr && nodes_[n].idle()) await_next_step(n);
  if (architecture_.drain != static_cast<std::uint64_t>(Drain::immediate)) feed(n);
}

}  // namespace fathom::simulate
