// SPDX-License-Identifier: Apache-2.0
/// Who runs what on the preset `harbour`, when, on which nodes, and what it does to the OSTs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "synth/harbour_traffic.h"
#include "synth/synth.h"

namespace fathom::quayside {

/// checkpoint: see harbour_checkpoint.h. periodic: well-behaved, large requests on all servers. reader, writer: now and then. silent:
/// nothing.
enum class Kind : std::uint8_t { checkpoint, periodic, reader, writer, silent };
std::string_view kind_name(Kind kind);

struct Application {
  std::string_view user, name;
  std::uint32_t nodes;
  Kind kind;
};

/// A phase of I/O of a run. Of a checkpoint only its begin and its first OST are told here.
struct Burst {
  Micros begin = 0;
  Micros length = 0;
  std::uint64_t bytes = 0;
  std::uint64_t request_bytes = 0;
  std::uint32_t first_ost = 0;
  std::uint32_t osts = 0;
  bool reads = false;
};

struct PlannedJob {
  const Application* application = nullptr;
  std::uint64_t id = 0;
  std::uint64_t seed = 0;                 // of its own numbers
  Micros submit = 0, start = 0, end = 0;  // whole seconds
  std::uint32_t first_node = 0;
  std::vector<Burst> bursts;
  bool traced = false;  // somebody ran it under `fathom run`

  bool ended(Micros log_end) const { return end <= log_end; }
};

/// In order of their start. One of the checkpoint writer's runs in the middle of the log is traced.
std::vector<PlannedJob> plan(const SynthOptions& options);

/// The even flows of a job's bursts, but for checkpoints.
void move(const PlannedJob& job, std::uint32_t number, Traffic& traffic);

/// What no job's name is on: small requests everywhere, and copies that people start by hand.
void add_background(std::uint64_t seed, Traffic& traffic);

/// `n[009-012]`
std::string node_list(const PlannedJob& job);
/// A line of `TZ=UTC sacct --allocations --parsable2` with the columns of titan::sacct_header, and what a reader makes of it.
std::string sacct_line(const PlannedJob& job, Micros log_end);
Job as_job(const PlannedJob& job, Micros log_end);

}  // namespace fathom::quayside
