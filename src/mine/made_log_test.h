// SPDX-License-Identifier: Apache-2.0
/// Logs of bursts and runs put together by hand, for tests of mining.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "mine/finding.h"

namespace fathom::mine {

inline constexpr double hour = 3600, day = 86'400, gib = 1073741824.0;

inline Time at(double seconds) { return time_from_micros(static_cast<std::int64_t>(std::llround(seconds * 1e6))); }

struct Size {
  double bytes = 100 * gib;
  std::uint32_t servers = 64;
  double length = 30;  // seconds
};

/// Written to the file system `scratch`, measured every 10 s for so many days from second 0 on.
class MadeLog {
 public:
  explicit MadeLog(double days) : until_(days * day) {
    log_.filesystem = "scratch";
    log_.direction = 1;
    log_.step = std::chrono::seconds{10};
    log_.seen = {{at(0), at(until_)}};
  }

  void burst(double start, Size size = {}) {
    const double rate = size.bytes / size.length;
    log_.bursts.push_back({at(start), at(start + size.length), rate, size.bytes, 1e8, size.servers, rate, size.bytes});
  }
  void train(double start, double period, std::size_t count, Size size = {}) {
    for (std::size_t i = 0; i < count; ++i) burst(start + static_cast<double>(i) * period, size);
  }
  /// Bursts of other people: any time, any size from 1 GiB to 10 TiB.
  void others(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i)
      burst(random.uniform(0, until_),
            {gib * std::pow(10.0, random.uniform(0, 4)), static_cast<std::uint32_t>(random.whole(1, 400)), random.uniform(10, 300)});
  }
  void not_measured(double from, double to) {
    std::vector<Stretch> parts;
    for (const Stretch& each : log_.seen) {
      if (each.from < at(from)) parts.push_back({each.from, std::min(each.to, at(from))});
      if (each.to > at(to)) parts.push_back({std::max(each.from, at(to)), each.to});
    }
    log_.seen = std::move(parts);
    std::erase_if(log_.bursts, [&](const KnownBurst& each) { return each.start >= at(from) && each.start < at(to); });
  }
  /// No server could be told for any burst.
  void forget_servers() {
    for (KnownBurst& each : log_.bursts) each.servers = 0, each.own_area = each.own_height = 0;
  }

  const BurstLog& log() {
    std::stable_sort(log_.bursts.begin(), log_.bursts.end(), [](const KnownBurst& a, const KnownBurst& b) { return a.start < b.start; });
    return log_;
  }
  Time until() const { return at(until_); }

 private:
  BurstLog log_;
  double until_;
};

inline void add_run(Application& application, double start, double end) {
  application.runs.push_back({std::to_string(application.runs.size() + 1), at(start), at(end)});
}

inline Finding examined(const Application& application, MadeLog& made, const PatternSettings& settings = {}) {
  const std::vector<TimedLog> logs{TimedLog(made.log())};
  return examine(application, logs, made.until(), settings);
}

}  // namespace fathom::mine
