// SPDX-License-Identifier: Apache-2.0
/// The engine from inside. Used by engine.cpp (the loop), generator.cpp and timed.cpp (steps of nodes), ways.cpp (requests under way) and
/// buffers.cpp (page pools and burst buffers) only.
#pragma once

#include "simulate/engine.h"
#include "simulate/event_queue.h"
#include "simulate/io_node.h"
#include "simulate/records.h"
#include "simulate/stripes.h"

namespace fathom::simulate {

class Engine {
 public:
  Engine(const Architecture& architecture, const Work& work, const Pauses* pauses, const CompletionSink& sink, const Watch& watch);
  Result<Outcome> run();

 private:
  /// A write on the disk link, or in the targets behind it.
  struct AtServer {
    Picoseconds end;
    std::uint32_t node;
    StoredWrite write;
  };
  struct JobState {
    std::size_t first_share = 0, ready = 0;
  };

  void set_up(std::uint32_t n, const NodeWork& work);
  void set_up_pools();
  void changed(std::uint32_t agenda);
  void put_in_queue();
  void schedule(std::uint32_t n, Agenda::Place place, Picoseconds time);
  void schedule(std::uint32_t n, EventClass what, std::uint32_t lane, Picoseconds time);
  Agenda& agenda(std::uint32_t n) { return n < all_nodes_ ? nodes_[n].agenda : shared_; }
  Result<void> check_limits() const;
  Outcome stop();
  void handle(const Event& event);
  void handle_other(std::uint32_t n, EventClass what);
  void handle_shared(EventClass what);

  // The generator (generator.cpp).
  void await_next_step(std::uint32_t n);
  void take_step(std::uint32_t n);
  void finish_step(std::uint32_t n);
  void start_job(std::uint32_t n, std::uint32_t share);
  void start_increment(std::uint32_t n, const Step& step);
  bool next_request(std::uint32_t n, Lane& lane);
  void issue_next(std::uint32_t n, std::uint32_t lane);
  void send(std::uint32_t n, std::uint32_t lane);
  void completed(std::uint32_t n, std::uint32_t lane);
  void retire_batches(std::uint32_t n);
  void became_quiet(std::uint32_t n);

  // Requests with times of their own (timed.cpp).
  void set_up_timed(std::uint32_t n);
  void start_timed(std::uint32_t n);
  void await_own(std::uint32_t n, std::uint32_t c);
  void send_own(std::uint32_t n, std::uint32_t c);
  void send_piece(std::uint32_t n, std::uint32_t c);
  void own_completed(std::uint32_t n, std::uint32_t c);

  // Ways of requests (ways.cpp).
  std::uint32_t entry_link(std::uint32_t c) const;
  std::uint32_t next_link(std::uint32_t link) const;
  void schedule_climb(std::uint32_t n, std::uint32_t link, Picoseconds end, std::uint32_t lane);
  void climb(std::uint32_t n, std::uint32_t lane);
  void climbed(std::uint32_t n, std::uint32_t lane);
  void acknowledge(std::uint32_t n, std::uint32_t lane, Picoseconds at);
  void sent(std::uint32_t n);
  void at_disks();
  void on_disks(std::uint32_t n, StoredWrite write);
  void back_at_io_node(std::uint32_t n, std::uint32_t lane);
  void ask(std::uint32_t n, std::uint32_t lane);
  void asked(std::uint32_t n, std::uint32_t lane);
  void answer(std::uint32_t n, std::uint32_t lane);
  void deliver(std::uint32_t n, std::uint32_t lane, Picoseconds stored);
  void schedule_delivery(std::uint32_t n, std::uint32_t link);
  void delivered(std::uint32_t n, std::uint32_t lane);
  Picoseconds message_down(IoNode& node, std::uint32_t lane, Picoseconds at);
  void count(std::uint32_t n, Kind kind, std::uint64_t bytes);

  // Page pools and burst buffers (buffers.cpp).
  BufferPool& pool_of(std::uint32_t n) { return pools_[n / architecture_.burst_buffer_shared_by]; }
  void arrived(std::uint32_t n, std::uint32_t lane);
  void keep(Store& store, const StoredWrite& write) const;
  enum class Choice : std::uint8_t { none, no_room, taken };
  Choice choose_write(IoNode& node, StoredWrite& write, bool& from_pool, std::uint64_t room);
  void start(std::uint32_t n, Sender& sender, const StoredWrite& write, bool from_pool, Agenda::Place end);
  void feed(std::uint32_t n);
  void feed_buffer(std::uint32_t n);
  void drain(std::uint32_t n);
  bool may_drain(std::uint32_t n);
  void note_shortage(std::uint32_t n, bool is_short);
  void room_became_free(std::uint32_t n);
  void in_buffer(std::uint32_t n);
  bool buffer_answers(std::uint32_t n, const Lane& lane);
  void answer_from_buffer(std::uint32_t n, std::uint32_t lane);
  void begin_prefetch(std::uint32_t n, std::uint32_t share);
  void give_up_prefetch(std::uint32_t n);
  void fetch(std::uint32_t n);
  void fetched(std::uint32_t n);
  std::uint32_t fetching_lane(const IoNode& node) const { return static_cast<std::uint32_t>(node.lanes.size()) - 1; }
  void data_arrived(std::uint32_t n, bool from_buffer);

  Result<void> check_conservation() const;

  const Architecture architecture_;
  const Work& work_;
  const Pauses* const pauses_;
  const Watch& watch_;
  const bool binary_, buffer_serves_reads_;
  const std::uint32_t all_nodes_;  // as the number of an agenda: that of what they share
  Records records_;
  std::vector<IoNode> nodes_;
  std::vector<BufferPool> pools_;
  std::vector<JobState> jobs_;
  std::vector<Picoseconds> share_covered_;
  Channel<IoNode::Nothing> disk_up_, disk_down_;
  Ring<AtServer> heard_at_disks_;  // writes on the disk link whose arrival somebody waits for
  Rate disk_up_rate_, disk_down_rate_;
  Stripes stripes_;
  Agenda shared_;  // of what all I/O nodes share
  AgendaQueue queue_;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> others_changed_;
  std::vector<std::uint32_t> path_;  // of the message or data that is looked at
  Picoseconds now_ = 0, last_ = 0;
  std::uint64_t steps_ = 0, steps_taken_ = 0;
  bool too_long_ = false, too_many_ = false;
  Amounts generated_;  // operations: requests
  std::uint64_t acked_ = 0;
  Outcome outcome_;
};

}  // namespace fathom::simulate
