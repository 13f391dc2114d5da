// SPDX-License-Identifier: Apache-2.0
/// The engine from inside. Used by engine.cpp (the loop), ways.cpp (requests under way) and generator.cpp (steps of nodes) only.
#pragma once

#include "simulate/engine.h"
#include "simulate/event_heap.h"
#include "simulate/io_node.h"

namespace fathom::simulate {

/// Events at the same moment come in the order of these classes, then of I/O nodes, then of compute nodes. The order of the classes is part
/// of the model: room becomes free before somebody looks for it. Classes below `delivered` are not needed here (their stations feed one
/// other each, so that departures follow from arrivals); the reference engine of the tests has them.
enum class EventClass : std::uint8_t {
  disk_sent,      // data left the disk link for the I/O node
  external_sent,  // data arrived at the I/O node
  tree_passed,    // data passed a link of the tree on its way to a compute node
  delivered,      // data arrived at its compute node
  step,           // the next step of a node's work is due
  sent,           // a write left the external link
  at_disks,       // a write arrived at the disks
  in_buffer,      // a write arrived in the burst buffer
  climbed,        // a write passed a link of the tree
  message,        // a message without size goes on after it had to wait
};

class Engine {
 public:
  Engine(const Architecture& architecture, const Work& work, const Pauses* pauses, const CompletionSink& sink, const Watch& watch);
  Result<Outcome> run();

 private:
  struct AtServer {
    std::uint32_t node;
    StoredWrite write;
  };
  struct JobState {
    std::size_t first_share = 0, ready = 0;
  };

  void set_up(IoNode& node, const NodeWork& work);
  void schedule(Picoseconds time, EventClass what, std::uint32_t node, std::uint32_t compute_node);
  Result<void> check_limits() const;
  void handle(EventClass what, std::uint32_t node, std::uint32_t compute_node);

  // The generator (generator.cpp).
  void await_next_step(std::uint32_t n);
  void take_step(std::uint32_t n);
  void finish_step(std::uint32_t n);
  void start_job(std::uint32_t n, std::uint32_t share);
  void start_increment(std::uint32_t n, const Step& step);
  bool next_request(IoNode& node, std::uint32_t c);
  void issue_next(std::uint32_t n, std::uint32_t c);
  void completed(std::uint32_t n, std::uint32_t c);
  void retire_batches(std::uint32_t n);

  // Ways of requests (ways.cpp).
  std::uint32_t entry_link(std::uint32_t c) const;
  std::uint32_t next_link(std::uint32_t link) const;
  void climb(std::uint32_t n, std::uint32_t c);
  void climbed(std::uint32_t n, std::uint32_t c);
  void arrived(std::uint32_t n, std::uint32_t c);
  void keep(Buffer& buffer, const StoredWrite& write) const;
  void acknowledge(std::uint32_t n, std::uint32_t c, Picoseconds at);
  void feed(std::uint32_t n);
  bool choose_write(IoNode& node, StoredWrite& write, bool& from_pool, std::uint64_t room);
  void start(std::uint32_t n, Sender& sender, const StoredWrite& write, bool from_pool, EventClass end);
  void sent(std::uint32_t n);
  void in_buffer(std::uint32_t n);
  void at_disks();
  void ask(std::uint32_t n, std::uint32_t c);
  void answer(std::uint32_t n, std::uint32_t c);
  void delivered(std::uint32_t n, std::uint32_t c);
  Picoseconds message_down(IoNode& node, std::uint32_t c, Picoseconds at);
  void count(std::uint32_t n, Kind kind, std::uint64_t bytes);
  Result<void> check_conservation() const;

  const Architecture architecture_;
  const Work& work_;
  const Pauses* const pauses_;
  const CompletionSink& sink_;
  const Watch& watch_;
  const bool binary_;
  std::vector<IoNode> nodes_;
  std::vector<JobState> jobs_;
  std::vector<Picoseconds> share_covered_;
  Channel<AtServer> disk_up_;
  Channel<IoNode::Nothing> disk_down_;
  Rate disk_up_rate_, disk_down_rate_;
  EventHeap events_;
  std::vector<std::uint32_t> path_;  // of the message or data that is looked at
  Picoseconds now_ = 0;
  std::uint64_t steps_ = 0, steps_taken_ = 0;
  bool too_long_ = false, too_many_ = false;
  Amounts generated_;  // operations: requests
  std::uint64_t acked_ = 0;
  Outcome outcome_;
};

}  // namespace fathom::simulate
