// SPDX-License-Identifier: Apache-2.0
/// The batch system of the preset `spider`: first come first served with EASY backfill on a finite machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "synth/spider_workload.h"

namespace fathom::titan {

/// Compute nodes of a job: [first, last] each, in order.
using NodeRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// `nid[00012-00147,00200]`, or `nid00012` for a single node.
std::string node_list(const NodeRanges& nodes);

class Scheduler {
 public:
  struct Started {
    Submission job;
    NodeRanges nodes;
  };

  explicit Scheduler(const std::vector<Application>& apps, std::size_t most_running = most_running_jobs)
      : apps_(apps), most_running_(most_running), taken_(node_count, false) {}

  void enqueue(const Submission& job) { queue_.push_back(job); }
  /// Before all others, as with a quality of service for short work on few nodes.
  void enqueue_first(const Submission& job) { queue_.insert(queue_.begin(), job); }
  /// Which jobs start now. Times are those of the call; a job may begin a few seconds later. Somebody may be asked about each job
  /// that could start, and hold it back: it keeps its place in the queue, and no nodes are kept for it meanwhile.
  std::vector<Started> start_jobs(Millis now, const std::function<bool(const Submission&)>& may_start = {});
  /// Takes out what was cancelled before it could start.
  std::vector<Submission> drop_cancelled(Millis now);
  void release(std::uint64_t id, const NodeRanges& nodes);

  std::size_t running() const { return running_.size(); }
  const std::vector<Submission>& queue() const { return queue_; }
  std::uint32_t free_nodes() const { return free_; }

 private:
  struct Running {
    std::uint64_t id;
    Millis latest_end;
    std::uint32_t nodes;
  };
  /// When the job at the head of the queue can start at the latest, and what is then left over.
  struct Reservation {
    Millis at;
    std::uint32_t spare;
  };
  Reservation reserve(std::uint32_t nodes, Millis now) const;
  NodeRanges take(std::uint32_t nodes);

  const std::vector<Application>& apps_;
  std::size_t most_running_;
  std::vector<bool> taken_;
  std::uint32_t free_ = node_count;
  std::vector<Submission> queue_;
  std::vector<Running> running_;
};

}  // namespace fathom::titan
