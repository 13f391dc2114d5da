// SPDX-License-Identifier: Apache-2.0
/// The state of an I/O node and of the compute nodes behind it. Its size depends on them and on what waits in buffers, not on the number of
/// requests.
#pragma once

#include <array>
#include <vector>

#include "simulate/channel.h"
#include "simulate/event_queue.h"
#include "simulate/requests.h"

namespace fathom::simulate {

inline constexpr std::uint32_t no_link = UINT32_MAX;
inline constexpr std::uint32_t no_record = UINT32_MAX;

/// What a request still has to pass on its way to the disks; or, of a write, that the disks' acknowledgement is on its way back.
enum class Hop : std::uint8_t { tree, external_link, disk_link, nothing, back };

/// What a compute node sends next.
struct ComputeNode {
  std::uint64_t batch = 0;
  RequestSequence::Place next;
  bool begun = false;  // `next` is for that batch
};

/// A request in flight. A compute node has `in_flight` lanes.
struct Lane {
  Kind kind = Kind::read;
  Hop hop = Hop::tree;  // what is next for the request of a read
  bool busy = false;
  std::uint32_t link = 0;  // where a request is on its way up; no_link: on the I/O node
  std::uint32_t compute_node = 0;
  std::uint32_t record = no_record;
  std::uint64_t batch = 0;
  std::uint64_t bytes = 0;
};

/// Writes on their way to the disks. Neighbours of the same size are one, unless every completion is wanted.
struct StoredWrite {
  static constexpr std::uint32_t nobody = UINT32_MAX;
  std::uint64_t bytes = 0, count = 1;
  std::uint32_t waiting = nobody;  // the lane that the acknowledgement of the disks is for
  std::uint32_t record = no_record;
};

/// What one increment became.
struct Batch {
  RequestSequence requests;
  RequestSequence::Place stride;
  std::uint64_t first_index = 0;  // of its requests among those of the node
  std::uint64_t unfinished = 0;
  std::uint32_t first_compute_node = 0;
  std::uint32_t share = 0;
  Picoseconds start = 0, finish = 0;
};

/// A link that sends one write at a time and has no queue of its own.
struct Sender {
  Rate rate;
  bool busy = false, from_pool = false;
  Picoseconds start = 0, end = 0;
  StoredWrite load;
};

/// Writes that wait, in order.
struct Store {
  std::uint64_t bytes = 0;
  Ring<StoredWrite> writes;

  StoredWrite take_front() {
    StoredWrite write = writes.front();
    bytes -= write.bytes;
    write.count = 1;
    if (--writes.front().count == 0) writes.pop();
    return write;
  }
};

/// Room that is taken and given back.
struct Room {
  std::uint64_t size = 0, used = 0;
  std::uint64_t left() const { return size - used; }
};

/// The burst buffers of one I/O node, or of several that put them together.
struct BufferPool {
  Room room;
  std::uint32_t first = 0, last = 0;  // its I/O nodes
  std::uint32_t short_of_room = 0;    // how many of them have a write that finds none
};

/// Reading ahead for a job.
struct Prefetch {
  std::uint32_t share = UINT32_MAX;
  std::uint64_t left = 0;   // still to be fetched
  std::uint64_t here = 0;   // in the buffer
  std::uint64_t piece = 0;  // under way, and for whom
  std::uint32_t piece_share = UINT32_MAX;
};

/// What a compute node with requests of its own times is at.
struct TimedList {
  std::size_t next = 0;
  std::uint64_t left = 0;         // bytes of the request that is under way and has more pieces
  std::uint64_t first_index = 0;  // of its pieces among those of the node
  std::uint64_t pieces = 0;       // sent so far
  Picoseconds answered = 0;       // the one before
};

struct IoNode {
  struct Nothing {};
  struct Due {
    Picoseconds end;
    std::uint32_t lane;
  };
  Agenda agenda;
  std::vector<ComputeNode> compute_nodes;
  std::vector<Lane> lanes;
  std::vector<Channel<std::uint32_t>> up;  // links of the tree; the load is the lane
  std::vector<Channel<Nothing>> down;
  std::vector<Ring<Due>> deliveries;  // of each link: data that ends its way there
  Rate tree_rate, external_down_rate, buffer_down_rate;
  Ring<std::uint32_t> waiting;  // lanes whose writes wait for the link themselves
  Room pool_room;
  Store page_pool, burst_buffer;
  Sender internal, external;  // without a burst buffer there is no internal link
  Channel<Nothing> external_down;
  bool short_of_room = false, draining = false;

  // Reads that the burst buffer may answer.
  Channel<Nothing> buffer_down;
  Ring<Due> from_external, from_buffer;  // data on its way to the I/O node
  Prefetch prefetch;
  std::uint64_t reads_that_passed = 0;

  // The generator.
  std::size_t step = 0;
  bool held = false;  // until the other nodes of its next job are ready
  Picoseconds shift = 0, all_finished = 0, covered = 0;
  Ring<Batch> batches;
  std::uint64_t first_batch = 0, next_index = 0;
  std::uint32_t next_compute_node = 0;
  std::vector<TimedList> timed;
  std::uint64_t timed_left = 0;  // requests without an answer, sent or not
  std::uint32_t timed_in_flight = 0;
  Picoseconds busy_since = 0;

  /// Nothing is left of what it has begun.
  bool idle() const { return batches.empty() && timed_left == 0; }
  /// No request is without its answer.
  bool quiet() const { return batches.empty() && timed_in_flight == 0; }
};

}  // namespace fathom::simulate
