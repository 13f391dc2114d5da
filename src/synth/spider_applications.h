// SPDX-License-Identifier: Apache-2.0
/// The applications of the preset `spider`: who runs what on how many nodes, and what it does to the OSTs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "synth/spider_variant.h"

namespace fathom::titan {

enum class Kind : std::uint8_t { pseudo, periodic, irregular, silent, piggy_back };
std::string_view kind_name(Kind kind);

enum class FileModel : std::uint8_t { none, n_to_1, n_to_m, n_to_n };
std::string_view file_model_name(FileModel model);

/// Bursts that come again and again.
struct Pattern {
  Millis period = 0;  // burst start to burst start when nobody is in the way: compute time + I/O time
  std::uint64_t burst_bytes = 0;
  std::uint32_t footprint = 0;  // OSTs of one burst
  std::uint64_t rate = 0;       // bytes per millisecond that the nodes give to one OST
  double reading = 0;           // share of bursts that read
  double period_jitter = 0;     // standard deviation of the compute time, as a fraction
  double volume_jitter = 0;     // the same of the volume
  double drift = 0;             // the last interval of a run is longer than the first by this fraction of the period, which is their mean

  /// How long a burst takes on its slowest OST when nobody is in the way.
  Millis quiet_burst() const;
  /// The interval, on a quiet machine and without jitter, that ends with burst `number` of `count`.
  Millis interval(std::uint32_t number, std::uint32_t count) const;
};

/// An application as AID defines it: user, job name and node count.
struct Application : Pattern {
  std::string user;
  std::string name;
  std::uint32_t nodes = 1;
  Kind kind = Kind::silent;
  FileModel model = FileModel::none;
  std::uint8_t partition = 0;     // the file system it writes to
  std::optional<Pattern> second;  // of applications that do two things in turn; the first counts the iterations
  std::uint32_t least_iterations = 0;
  std::uint32_t most_iterations = 0;
  bool many_lengths = false;  // as many runs of 5 to 10 iterations as of 50 to 100: log-uniform
  Millis shortest_run = 0;    // where there are no iterations
  Millis longest_run = 0;
  std::uint64_t restart_bytes = 0;  // read once at the start of a run
  double off_share = 0;             // runs with I/O switched off; pseudo-applications have a plan of their own
  bool exactly_off = false;         // `off_share` of the planned runs, not only on average
  double trouble_share = 0.16;      // runs that fail, are cancelled or meet their time limit
  double runs_per_week = 0;         // planned runs; 0: runs when users feel like it, by `weight`
  bool any_time = false;            // planned runs are spread at random, not one in each of equal slots
  double weight = 0;
  bool arrays = false;                // submitted as array jobs
  std::optional<std::uint32_t> host;  // piggy_back: runs only while this application runs
  std::uint32_t runs_per_host = 0;    // and so many times in each of its runs

  bool iterates() const { return kind == Kind::pseudo || kind == Kind::periodic; }
  std::size_t pattern_count() const { return !iterates() ? 0 : second ? 2 : 1; }
  const Pattern& pattern(std::size_t which) const { return which == 0 ? *this : *second; }

  /// Its bursts as a row of a table gives them, with the jitter of programs that compute as long each time.
  template <class Row>
  void beat(const Row& row) {
    period = row.period;
    least_iterations = row.least;
    most_iterations = row.most;
    burst_bytes = row.burst_gib << 30;
    footprint = row.footprint;
    rate = row.rate;
    period_jitter = 0.02;
  }
};

/// The nodes of a burst do not feed all OSTs equally well: each gets between this share and all of `rate`.
inline constexpr double slowest_ost = 0.9;

/// Pseudo-applications first (IOR_A to IOR_H), then those with planned runs, then all others; the cases last, so that the
/// others stay what they are. A log of more than 30 days has more of the silent ones, some fifty for each day.
std::vector<Application> applications(std::uint64_t seed, const SpiderVariant& variant = {}, double days = 0);

}  // namespace fathom::titan
