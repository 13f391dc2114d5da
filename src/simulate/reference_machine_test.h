// SPDX-License-Identifier: Apache-2.0
/// The machine of the plain engine. Shares with the engine the descriptions (Architecture, Work, Completion) and the order of events at the
/// same moment, nothing else. Used by reference_test.cpp (generator and ways) and reference_buffers_test.cpp (buffers and targets) only.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>
#include <vector>

#include "simulate/architecture.h"
#include "simulate/outcome.h"
#include "simulate/work.h"

namespace fathom::simulate::reference {

/// At the same moment in this order, then by I/O node, then by lane (place of a request in flight) or station.
enum Order {
  disk_down,
  external_down,
  out_of_buffer,
  tree_down,
  at_compute_node,
  generate,
  own,
  external_up,
  disk_up,
  server_up,
  target,
  server_down,
  into_buffer,
  tree_up,
  message
};

struct Piece {
  Completion record;
  std::uint32_t lane = 0;
  std::uint32_t share = no_share;
  bool acknowledged = false;
};

using Action = std::function<void()>;

struct Happening {
  std::tuple<Picoseconds, int, std::uint32_t, std::uint32_t, std::uint64_t> when;
  Action action;
  bool operator<(const Happening& other) const { return when > other.when; }
};

struct Clock {
  Picoseconds now = 0;
  std::uint64_t number = 0;
  std::priority_queue<Happening> queue;
  void at(Picoseconds time, int order, std::uint32_t node, std::uint32_t lane, Action action) {
    queue.push({{time, order, node, lane, number++}, std::move(action)});
  }
};

/// Its events are in the order of what is transferred, or in that of stations if it has a number.
struct Station {
  static constexpr std::uint32_t no_number = UINT32_MAX;
  struct Load {
    const Piece* piece;
    std::uint64_t bytes;
    Action then;
  };
  std::uint64_t bandwidth = 1;
  int order = 0;
  std::uint32_t number = no_number;
  bool busy = false;
  Picoseconds start = 0, end = 0;
  std::deque<Load> queue;

  void begin(Clock& clock) {
    if (busy || queue.empty()) return;
    const Load load = queue.front();
    queue.pop_front();
    busy = true;
    start = clock.now;
    __extension__ using Wide = unsigned __int128;
    const Wide exact = Wide{load.bytes} * 1'000'000'000'000u;
    Wide time = exact / bandwidth;
    if (exact % bandwidth * 2 >= bandwidth) ++time;  // half a picosecond is rounded up
    end = start + static_cast<Picoseconds>(time);
    const bool by_number = number != no_number;
    clock.at(end, order, by_number ? 0 : load.piece->record.node, by_number ? number : load.piece->lane, [this, &clock, then = load.then] {
      busy = false;
      begin(clock);
      then();
    });
  }
  void arrive(Clock& clock, const Piece* piece, Action then) { arrive(clock, piece, piece->record.bytes, std::move(then)); }
  void arrive(Clock& clock, const Piece* piece, std::uint64_t bytes, Action then) {
    queue.push_back({piece, bytes, std::move(then)});
    begin(clock);
  }
};

struct Machine {
  struct Node {
    std::vector<Station> up, down;
    std::unique_ptr<Station> external_up, external_down, internal, internal_down;
    std::vector<std::deque<Piece*>> to_send;
    std::vector<bool> in_flight;  // by lane
    std::deque<Piece*> bypass, pool, buffer;
    std::uint64_t pool_used = 0;
    std::uint64_t generated = 0, answered = 0;
    bool is_short = false, emptying = false;
    std::size_t dealt_to = 0;
    std::uint64_t dealt = 0;
    // Reading ahead for a job.
    std::uint32_t ahead_for = no_share;
    std::uint64_t ahead_left = 0, ahead_here = 0;
    bool fetching = false;
    std::uint64_t passed = 0;  // reads that did not find their data fetched
    // By kind: where the next request begins on the targets.
    std::array<std::uint64_t, 2> offset{};
    bool quiet() const { return generated == answered; }
  };

  const Architecture& a;
  const Work& work;
  Clock clock;
  std::vector<Node> nodes;
  std::vector<std::uint64_t> buffer_used;  // of each burst buffer, that may be shared
  Station disk_link_up, disk_link_down;
  std::vector<Station> servers_up, servers_down, targets;
  std::deque<Piece> pieces;

  Machine(const Architecture& architecture, const Work& all_work);
  void make_node(std::size_t n);
  void take(std::size_t n, std::size_t i);

  // Requests with times of their own.

  void make_timed(std::size_t n);
  void await_own(std::size_t n, std::size_t c);
  void send_own(std::size_t n, std::size_t c);

  // Increments.

  std::vector<std::uint64_t> sizes(std::uint64_t bytes, std::uint64_t operations) const;
  void deal(std::size_t n, const Step& step);
  void send(std::size_t n, std::size_t lane);

  // Ways of requests.

  std::vector<std::size_t> path(std::size_t c) const;
  void begin(std::size_t n, Piece* piece);
  void ask_disks(std::size_t n, Piece* piece, Action then);
  void pass(Piece* piece, std::vector<Station*> way, std::size_t i, Action then);
  std::vector<Station*> way_down(Node& node, std::size_t c) const;
  void answered(std::size_t n, Piece* piece);
  void arrived_down(std::size_t n, Piece* piece);
  void hop_down(std::size_t n, Piece* piece, std::vector<Station*> way, std::size_t i);
  void hop_up(std::size_t n, Piece* piece, std::vector<std::size_t> links, std::size_t i);
  void acknowledge(std::size_t n, Piece* piece);

  // Page pool and burst buffer.

  void write_arrives(std::size_t n, Piece* piece);

  std::size_t first_sharer(std::size_t n) const { return n / a.burst_buffer_shared_by * a.burst_buffer_shared_by; }
  std::size_t end_of_sharers(std::size_t n) const { return std::min(nodes.size(), first_sharer(n) + a.burst_buffer_shared_by); }
  std::uint64_t& used(std::size_t n) { return buffer_used[first_sharer(n)]; }
  std::uint64_t buffer_size(std::size_t n) const { return a.burst_buffer * (end_of_sharers(n) - first_sharer(n)); }

  void drain(std::size_t n);
  void drain_into_buffer(std::size_t n);
  bool any_short(std::size_t n) const;
  void buffered(std::size_t n, Piece* piece, bool pooled);
  void send_on(std::size_t n);
  void room_is_free(std::size_t n);
  void to_disks(std::size_t n, Piece* piece);

  // Reads that the burst buffer answers.

  bool in_buffer(std::size_t n, const Piece& piece);
  void from_buffer(std::size_t n, Piece* piece);
  void read_ahead(std::size_t n, std::size_t i);
  void forget_ahead(std::size_t n);
  void fetch(std::size_t n);

  // Targets.

  void use_targets(std::size_t n, const Piece* piece, Action then);
  void run();
};

}  // namespace fathom::simulate::reference
