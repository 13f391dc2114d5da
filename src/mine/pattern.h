// SPDX-License-Identifier: Apache-2.0
/// I/O patterns: bursts of about the same size that come again and again in the runs of an application, and only there.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "mine/application.h"
#include "mine/burst_log.h"
#include "mine/timed_log.h"

namespace fathom::mine {

struct PatternSettings {
  double common = 0.6;            // share of the runs that could show a pattern and must
  double spanning = 0.4;          // of a run's measured time, from the first burst to a period after the last
  double seen = 0.5;              // of the bursts expected between the first and the last
  std::size_t least_bursts = 3;   // of one run
  std::size_t least_typical = 2;  // of these
  std::size_t support = 5;        // runs that show it; with fewer the application stays on the watch list
  double scope_periods = 5;       // looked at before and after each run
  double scope_share = 0.4;       // of those stretches; if as many go on with the pattern, it is somebody else's
  double most_jitter = 0.055;     // of the time between bursts
  double used = 0.6;              // of the typical bursts in the runs that show it: else it is every n-th of another pattern's
  double log10_chance = -8;  // of as many runs showing it, judged by the time when the application does not run; low, because many groups
                             // and periods are tried
  double sure = 0.999;       // a pattern with so much confidence need not be that unlikely
  double log10_disorder = -2.5;  // the same, judged by its own bursts in disorder
};

/// Runs of five times this end before anything later can change what is said of them.
inline constexpr double longest_period = 4.8 * 3600;
/// How far beyond a run's ends mining ever looks, in seconds: five times the longest period.
inline constexpr double horizon = 5 * longest_period;

/// Bursts of about a pattern's size. Others may be in the way of a burst or hide a part of it, so a wide range is allowed; but what nobody
/// disturbs is typical.
struct BurstRegion {
  double least_height = 0, most_height = 0, least_area = 0, most_area = 0;
  double typical_least_area = 0, typical_most_area = 0, least_servers = 0, most_servers = 0;
  double least_own_area = 0, most_own_area = 0;

  /// By what all servers show; or, where others' bursts are mixed in, by what those show that take part.
  bool holds(const KnownBurst& burst) const {
    return (burst.height >= least_height && burst.height <= most_height && burst.area >= least_area && burst.area <= most_area) ||
           (burst.servers >= least_servers && burst.servers <= most_servers && burst.own_area >= least_own_area &&
            burst.own_area <= most_own_area);
  }
  bool typical(const KnownBurst& burst) const {
    const auto usual = [this](double area) { return area >= typical_least_area && area <= typical_most_area; };
    return (usual(burst.area) || usual(burst.own_area)) && burst.servers >= least_servers && burst.servers <= most_servers;
  }
};

/// The pattern in one stretch of time.
struct Sighting {
  std::uint32_t run = 0;
  bool shown = false;
  bool again = false;  // shown, but with bursts that another run at the same time has shown: says nothing
  double score = 0;
  std::size_t alike = 0, typical = 0;  // typical bursts, and those of them that are in the pattern
  std::int64_t intervals = 0;          // periods from the first burst to the last
  std::vector<std::uint32_t> bursts;   // indexes into the log
};

enum class Verdict : std::uint8_t { valid, rare, irregular, chance, out_of_scope };

struct Pattern {
  std::string filesystem;
  std::size_t direction = 0;
  Verdict verdict = Verdict::rare;
  double period = 0, period_error = 0;  // seconds, from start to start; the error is that of the mean over runs
  double usual_length = 0;              // seconds of a burst
  double jitter = 0;                    // what the time between bursts varies by, as a part of the period; delays by long bursts taken off
  double spread = 0;                    // what steps may vary by, as a part of the period
  BurstRegion region;
  std::vector<Sighting> sightings;    // of runs that are long enough to show it
  std::size_t judged = 0, shown = 0;  // runs; those that show the bursts of another run are not among them
  std::size_t bursts = 0;
  std::size_t alike = 0, typical = 0;  // typical bursts in the runs that show it, and those of them that are in the pattern
  double score = 0;                    // sum over the runs that show it
  double elsewhere = 0;                // share of stretches without the application that show it too
  std::size_t elsewhere_windows = 0;   // how many such stretches there are
  double log10_chance = 0;
  double used = 0;                         // share of all typical bursts in the runs that show it
  double steady = 0, shuffled_steady = 0;  // share of even steps from burst to burst; the same with its bursts in disorder
  double log10_disorder = 0;
  std::size_t scope_windows = 0, scope_hits = 0;

  // Features, over all its bursts in all runs.
  double burst_bytes = 0, coarse_bytes = 0;  // of the servers that take part; of all servers
  double burst_s = 0;
  double throughput = 0, peak = 0;  // bytes per second
  double footprint = 0;             // mean number of servers
  double io_share = 0;              // burst length to the time without I/O
  double confidence = 0;
  Time first_seen{}, last_seen{};

  /// Shown by such a share of the runs, or by fewer for no other reason than chance: half a standard error of the share is allowed.
  bool common(double share) const {
    const auto runs = static_cast<double>(judged);
    return judged > 0 && static_cast<double>(shown) + 0.5 * std::sqrt(runs * share * (1 - share)) >= share * runs;
  }
  double support() const { return judged > 0 ? static_cast<double>(shown) / static_cast<double>(judged) : 0; }
};

struct FoundPatterns {
  /// Those that do not share their bursts, valid or not, the best first; those that are not valid are there to say why.
  std::vector<Pattern> patterns;
  /// Some were common enough to be compared with the time outside the runs. If none was, nothing but the log within the runs was looked at.
  bool looked_around = false;
};

/// The patterns of an application in one log; all its runs are possible, and those that count are looked at (see counted.h).
FoundPatterns find_patterns(const Application& application, const TimedLog& log, const PatternSettings& settings);

}  // namespace fathom::mine
