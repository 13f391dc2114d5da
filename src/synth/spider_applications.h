// SPDX-License-Identifier: Apache-2.0
/// The applications of the preset `spider`: who runs what on how many nodes, and what it does to the OSTs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "synth/spider_machine.h"

namespace fathom::titan {

enum class Kind : std::uint8_t { pseudo, periodic, irregular, silent };
std::string_view kind_name(Kind kind);

enum class FileModel : std::uint8_t { none, n_to_1, n_to_m, n_to_n };
std::string_view file_model_name(FileModel model);

/// An application as AID defines it: user, job name and node count.
struct Application {
  std::string user;
  std::string name;
  std::uint32_t nodes = 1;
  Kind kind = Kind::silent;
  FileModel model = FileModel::none;
  std::uint8_t partition = 0;        // the file system it writes to
  Millis period = 0;                 // burst start to burst start when nobody is in the way: compute time + I/O time
  std::uint32_t least_iterations = 0;
  std::uint32_t most_iterations = 0;
  Millis shortest_run = 0;           // where there are no iterations
  Millis longest_run = 0;
  std::uint64_t burst_bytes = 0;
  std::uint32_t footprint = 0;       // OSTs of one burst
  std::uint64_t rate = 0;            // bytes per millisecond that the nodes give to one OST
  std::uint64_t restart_bytes = 0;   // read once at the start of a run
  double reading = 0;                // share of bursts that read
  double period_jitter = 0;          // standard deviation of the compute time, as a fraction
  double volume_jitter = 0;          // the same of the volume
  double off_share = 0;              // runs with I/O switched off; pseudo-applications have a plan of their own
  double trouble_share = 0.16;       // runs that fail, are cancelled or meet their time limit
  double runs_per_week = 0;          // planned runs; 0: runs when users feel like it, by `weight`
  double weight = 0;
  bool arrays = false;               // submitted as array jobs

  bool iterates() const { return kind == Kind::pseudo || kind == Kind::periodic; }
  /// How long a burst takes on its slowest OST when nobody is in the way.
  Millis quiet_burst() const;
};

/// The nodes of a burst do not feed all OSTs equally well: each gets between this share and all of `rate`.
inline constexpr double slowest_ost = 0.9;

/// Pseudo-applications first (IOR_A to IOR_H), then those with planned runs, then all others.
std::vector<Application> applications(std::uint64_t seed);

}  // namespace fathom::titan
