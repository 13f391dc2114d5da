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
  const bool idle = node.batches.empty();
  if (pauses_ == nullptr) {
    node.due = steps[node.step].at;
  } else if (const Picoseconds pause = (*pauses_)[n][node.step]; pause >= 0) {
    node.due = idle ? node.all_finished + pause : -1;
    if (!idle) return;
  } else {
    node.due = idle ? now_ : std::max(now_, steps[node.step].at + node.shift);
  }
  schedule(node.due, EventClass::step, n, 0);
}

void Engine::take_step(std::uint32_t n) {
  IoNode& node = nodes_[n];
  if (node.due != now_) return;  // the step was brought forward since
  node.due = -1;
  outcome_.pauses[n][node.step] = node.batches.empty() ? now_ - node.all_finished : -1;
  const Step& step = work_.nodes[n].steps[node.step];
  switch (step.what) {
    case Step::What::job_start:
      return start_job(n, step.share);
    case Step::What::job_end:
      outcome_.shares[step.share].end = std::max(outcome_.shares[step.share].end, now_);
      break;
    case Step::What::increment:
      start_increment(n, step);
      break;
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
  }
}

void Engine::start_increment(std::uint32_t n, const Step& step) {
  IoNode& node = nodes_[n];
  const auto compute_nodes = static_cast<std::uint32_t>(node.compute_nodes.size());
  const RequestSequence requests(step.amounts, architecture_.ciod_buffer);
  const std::uint64_t size = requests.size();
  if (size > most_requests) too_many_ = true;
  if (size == 0 || too_many_) return;
  node.batches.push({requests, node.next_index, size, node.next_compute_node, step.share, now_, now_});
  for (std::size_t i = 0; i < 2; ++i) generated_.bytes[i] += step.amounts.bytes[i];
  outcome_.requests += size;
  node.next_index += size;
  const std::uint32_t first = node.next_compute_node;
  node.next_compute_node = static_cast<std::uint32_t>((first + size) % compute_nodes);
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(size, compute_nodes); ++i) {
    const std::uint32_t c = (first + i) % compute_nodes;
    if (!node.compute_nodes[c].busy) issue_next(n, c);
  }
}

/// Requests are dealt round robin: compute node c has number (c - first) mod C of the batch, and every C-th from there.
bool Engine::next_request(IoNode& node, std::uint32_t c) {
  ComputeNode& from = node.compute_nodes[c];
  const std::uint64_t compute_nodes = node.compute_nodes.size();
  if (from.batch < node.first_batch) {
    from.batch = node.first_batch;
    from.begun = false;
  }
  for (; from.batch < node.first_batch + node.batches.size(); ++from.batch, from.begun = false) {
    const Batch& batch = node.batches[from.batch - node.first_batch];
    if (!from.begun) from.next = (c + compute_nodes - batch.first_compute_node) % compute_nodes;
    from.begun = true;
    if (from.next >= batch.requests.size()) continue;
    const Request request = batch.requests[from.next];
    from.kind = request.kind;
    from.bytes = request.bytes;
    from.index = batch.first_index + from.next;
    from.next += compute_nodes;
    return true;
  }
  return false;
}

void Engine::issue_next(std::uint32_t n, std::uint32_t c) {
  ComputeNode& from = nodes_[n].compute_nodes[c];
  from.busy = next_request(nodes_[n], c);
  if (!from.busy) return;
  from.issued = now_;
  from.link = entry_link(c);
  from.hop = Hop::tree;
  if (from.kind == Kind::write)
    climb(n, c);
  else
    ask(n, c);
}

/// The acknowledgement or the data is at the compute node.
void Engine::completed(std::uint32_t n, std::uint32_t c) {
  IoNode& node = nodes_[n];
  Batch& batch = node.batches[node.compute_nodes[c].batch - node.first_batch];
  --batch.unfinished;
  batch.finish = now_;
  ++acked_;
  outcome_.nodes[n].end = now_;
  if (batch.unfinished == 0) retire_batches(n);
  issue_next(n, c);
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
  if (pauses_ != nullptr && node.batches.empty()) await_next_step(n);
}

}  // namespace fathom::simulate
