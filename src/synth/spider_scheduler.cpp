// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_scheduler.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace fathom::titan {

std::string node_list(const NodeRanges& nodes) {
  if (nodes.size() == 1 && nodes[0].first == nodes[0].second) return fmt::format("nid{:05}", nodes[0].first);
  std::string text = "nid[";
  for (const auto& [first, last] : nodes) {
    if (text.back() != '[') text += ',';
    if (first == last) {
      fmt::format_to(std::back_inserter(text), "{:05}", first);
    } else {
      fmt::format_to(std::back_inserter(text), "{:05}-{:05}", first, last);
    }
  }
  return text += ']';
}

NodeRanges Scheduler::take(std::uint32_t nodes) {
  assert(nodes <= free_);
  free_ -= nodes;
  NodeRanges ranges;
  for (std::uint32_t node = 0; nodes > 0; ++node) {
    if (taken_[node]) continue;
    taken_[node] = true;
    --nodes;
    if (!ranges.empty() && ranges.back().second + 1 == node) {
      ranges.back().second = node;
    } else {
      ranges.emplace_back(node, node);
    }
  }
  return ranges;
}

void Scheduler::release(std::uint64_t id, const NodeRanges& nodes) {
  for (const auto& [first, last] : nodes) {
    for (std::uint32_t node = first; node <= last; ++node) taken_[node] = false;
    free_ += last - first + 1;
  }
  std::erase_if(running_, [&](const Running& job) { return job.id == id; });
}

Scheduler::Reservation Scheduler::reserve(std::uint32_t nodes, Millis now) const {
  std::vector<Running> by_end = running_;
  std::sort(by_end.begin(), by_end.end(),
            [](const Running& a, const Running& b) { return a.latest_end != b.latest_end ? a.latest_end < b.latest_end : a.id < b.id; });
  std::uint32_t available = free_;
  for (const Running& job : by_end) {
    available += job.nodes;
    if (available >= nodes) return {job.latest_end, available - nodes};
  }
  return {now, 0};
}

std::vector<Scheduler::Started> Scheduler::start_jobs(Millis now, const std::function<bool(const Submission&)>& may_start) {
  std::vector<Started> started;
  std::optional<Reservation> head;
  for (std::size_t i = 0; i < queue_.size() && running_.size() < most_running_ && free_ > 0;) {
    const Submission& job = queue_[i];
    const std::uint32_t nodes = apps_[job.application].nodes;
    bool fits = job.outcome != Outcome::never_ran && nodes <= free_;
    if (job.outcome != Outcome::never_ran && !fits && !head) head = reserve(nodes, now);
    if (fits && head) {  // may not delay the head of the queue
      const bool ends_before = now + step + job.limit <= head->at;
      fits = (ends_before || nodes <= head->spare) && (!may_start || may_start(job));
      if (fits && !ends_before) head->spare -= nodes;
    } else if (fits && may_start) {
      fits = may_start(job);
    }
    if (!fits) {
      ++i;
      continue;
    }
    running_.push_back({job.id, now + step + job.limit, nodes});
    started.push_back({job, take(nodes)});
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return started;
}

std::vector<Submission> Scheduler::drop_cancelled(Millis now) {
  std::vector<Submission> dropped;
  std::erase_if(queue_, [&](const Submission& job) {
    const bool gone = job.outcome == Outcome::never_ran && job.submit + job.cut <= now;
    if (gone) dropped.push_back(job);
    return gone;
  });
  return dropped;
}

}  // namespace fathom::titan
