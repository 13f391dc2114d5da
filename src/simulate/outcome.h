// SPDX-License-Identifier: Apache-2.0
/// What a simulation found out.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "simulate/picoseconds.h"
#include "simulate/requests.h"

namespace fathom::simulate {

/// One request from beginning to end.
struct Completion {
  std::uint32_t node = 0;
  std::uint64_t index = 0;  // of all requests of the node, in the order in which they were dealt
  Kind kind = Kind::read;
  std::uint64_t bytes = 0;
  Picoseconds issued = 0;  // it leaves the compute node
  Picoseconds acked = 0;   // its acknowledgement or data is back there
  Picoseconds stored = 0;  // it is counted at the bypass: the acknowledgement of the disks, or the data, is there

  bool operator==(const Completion&) const = default;
};

using CompletionSink = std::function<void(const Completion&)>;
/// How far it is, now and then: steps of all nodes.
using Watch = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct NodeOutcome {
  std::array<std::uint64_t, 2> requests{}, bytes{};  // by kind, counted at the bypass
  Picoseconds io_time = 0;                           // in which it had a request without its acknowledgement
  Picoseconds end = 0;                               // its last acknowledgement
};

/// Of a job on one I/O node.
struct ShareOutcome {
  Picoseconds start = 0, end = 0, io_time = 0;
};

/// For every step of every node: how long the node had computed before it, since all earlier I/O was done; below zero where some was still
/// under way.
using Pauses = std::vector<std::vector<Picoseconds>>;

struct Outcome {
  std::vector<NodeOutcome> nodes;
  std::vector<ShareOutcome> shares;
  Pauses pauses;
  std::uint64_t requests = 0, events = 0;
  Picoseconds end = 0;  // the last event
};

}  // namespace fathom::simulate
