// SPDX-License-Identifier: Apache-2.0
/// What a simulation found out.
#pragma once

#include <array>
#include <functional>
#include <tuple>
#include <vector>

#include "simulate/picoseconds.h"
#include "simulate/requests.h"

namespace fathom::simulate {

/// Where a request was when; -1: it did not come there.
struct Way {
  Picoseconds at_io_node = -1;      // the data of a write, or the request of a read
  Picoseconds left_pool = -1;       // a write begins to leave the page pool or the bypass
  Picoseconds in_buffer = -1;       // a write is in the burst buffer
  Picoseconds external_start = -1;  // a write begins to leave the I/O node
  Picoseconds external_end = -1;
  Picoseconds at_disks = -1;  // a write has passed the disk link, or the request of a read has
  Picoseconds on_disks = -1;  // behind the targets, if there are any
  Picoseconds disk_end = -1;  // the data of a read has passed the disk link
  bool pooled = false;        // the page pool acknowledged it
  bool from_buffer = false;   // the burst buffer answered it
};

/// One request from beginning to end.
struct Completion {
  std::uint32_t node = 0;
  std::uint64_t index =
      0;  // of all requests of the node, in the order in which they were dealt; of timed ones compute node by compute node
  Kind kind = Kind::read;
  std::uint64_t bytes = 0;
  Picoseconds issued = 0;  // it leaves the compute node
  Picoseconds acked = 0;   // its acknowledgement or data is back there
  Picoseconds stored = 0;  // it is counted at the bypass: the acknowledgement of the disks, or the data, is there
  std::uint32_t compute_node = 0;
  const Way* way = nullptr;  // as long as it is told of

  /// The ways are not compared.
  bool operator==(const Completion& other) const {
    return std::tie(node, index, kind, bytes, issued, acked, stored, compute_node) ==
           std::tie(other.node, other.index, other.kind, other.bytes, other.issued, other.acked, other.stored, other.compute_node);
  }
};

using CompletionSink = std::function<void(const Completion&)>;
/// How far a run is.
struct Moment {
  std::uint64_t steps = 0, all_steps = 0;  // of all nodes
  std::uint64_t requests = 0;              // acknowledged
  Picoseconds time = 0;
};

/// Is told now and then; where it says false, the run stops.
using Watch = std::function<bool(const Moment&)>;

struct NodeOutcome {
  std::array<std::uint64_t, 2> requests{}, bytes{};  // by kind, counted at the bypass
  std::uint64_t bytes_from_buffer = 0;               // of those read: they came from the burst buffer
  Picoseconds io_time = 0;                           // in which it had a request without its acknowledgement
  Picoseconds end = 0;                               // its last acknowledgement
  std::uint64_t buffered_bytes = 0;                  // written into its burst buffer, prefetched data too
  bool finished = true;                              // false only where the run was stopped before
};

/// Of a job on one I/O node.
struct ShareOutcome {
  Picoseconds start = 0, end = 0, io_time = 0;
  bool finished = true;  // false only where the run was stopped before
};

/// How long was computed before things began.
struct Pauses {
  /// For every step of every node: since all earlier I/O of the node was done; below zero where some was still under way.
  std::vector<std::vector<Picoseconds>> steps;
  /// For every timed request of every compute node of every node: since the answer to the one before, or since the start of the job.
  std::vector<std::vector<std::vector<Picoseconds>>> requests;
};

struct Outcome {
  std::vector<NodeOutcome> nodes;
  std::vector<ShareOutcome> shares;
  Pauses pauses;
  std::uint64_t requests = 0, events = 0;
  Picoseconds end = 0;   // the last thing that happened
  bool stopped = false;  // by its Watch: what is there is what was done until then
};

}  // namespace fathom::simulate
