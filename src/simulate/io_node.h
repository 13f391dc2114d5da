// SPDX-License-Identifier: Apache-2.0
/// The state of an I/O node and of the compute nodes behind it. Its size depends on them and on what waits in buffers, not on the number of
/// requests.
#pragma once

#include <array>
#include <vector>

#include "simulate/channel.h"
#include "simulate/requests.h"

namespace fathom::simulate {

inline constexpr std::uint32_t no_link = UINT32_MAX;

/// What a request still has to pass on its way to the disks.
enum class Hop : std::uint8_t { tree, external_link, disk_link, nothing };

/// A compute node, and the one request that it has in flight.
struct ComputeNode {
  std::uint64_t batch = 0;  // the batch it takes requests from, and the next one there
  std::uint64_t next = 0;
  bool begun = false;  // `next` is for that batch
  Kind kind = Kind::read;
  bool busy = false;
  std::uint32_t link = 0;  // where a request is on its way up; no_link: on the I/O node
  Hop hop = Hop::tree;     // what is next for the request of a read
  std::uint64_t bytes = 0, index = 0;
  Picoseconds issued = 0;
};

/// Writes on their way to the disks. Neighbours of the same size are one, unless every completion is wanted.
struct StoredWrite {
  static constexpr std::uint32_t nobody = UINT32_MAX;
  std::uint64_t bytes = 0, count = 1, index = 0;
  Picoseconds issued = 0, acked = 0;
  std::uint32_t waiting = nobody;  // the compute node that the acknowledgement of the disks is for
};

/// What one increment became.
struct Batch {
  RequestSequence requests;
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

struct Buffer {
  std::uint64_t size = 0, used = 0;
  Ring<StoredWrite> writes;

  bool has_room(std::uint64_t bytes) const { return bytes <= size - used; }
  StoredWrite take_front() {
    StoredWrite write = writes.front();
    write.count = 1;
    if (--writes.front().count == 0) writes.pop();
    return write;
  }
};

struct IoNode {
  struct Nothing {};
  std::vector<ComputeNode> compute_nodes;
  std::vector<Channel<std::uint32_t>> up;  // links of the tree; the load is the compute node
  std::vector<Channel<Nothing>> down;
  std::vector<Ring<Channel<std::uint32_t>::Transfer>> deliveries;  // of each link: data that ends its way there
  Rate tree_rate, external_down_rate;
  Ring<std::uint32_t> waiting;  // compute nodes whose writes wait for the link themselves
  Buffer page_pool, burst_buffer;
  Sender internal, external;  // without a burst buffer there is no internal link
  Channel<Nothing> external_down;

  // The generator.
  std::size_t step = 0;
  Picoseconds due = -1;  // of the next step; -1: not known yet
  bool held = false;     // until the other nodes of its next job are ready
  Picoseconds shift = 0, all_finished = 0, covered = 0;
  Ring<Batch> batches;
  std::uint64_t first_batch = 0, next_index = 0;
  std::uint32_t next_compute_node = 0;
};

}  // namespace fathom::simulate
