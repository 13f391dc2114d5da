// SPDX-License-Identifier: Apache-2.0
#include "synth/fault_plan.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t day_length = 86400 * second;

std::int64_t length_of(FaultKind kind, Random& random) {
  switch (kind) {
    case FaultKind::gap:
    case FaultKind::dead_node:  // at least two samples: an interval of 360 s
      return static_cast<std::int64_t>(std::clamp(random.lognormal(1200, 1.0), 260.0, 5 * 3600.0) * second);
    case FaultKind::unmount: return static_cast<std::int64_t>(std::clamp(random.lognormal(1800, 0.7), 400.0, 4 * 3600.0) * second);
    default: return 0;
  }
}

}  // namespace

std::vector<Fault> faults_of_day(const FaultRates& rates, std::uint64_t seed, std::int32_t day, std::int64_t end, std::uint32_t servers,
                                 std::uint8_t filesystems) {
  const std::pair<FaultKind, int> kinds[] = {{FaultKind::reset, rates.resets},
                                             {FaultKind::restart, rates.restarts},
                                             {FaultKind::masked_restart, rates.masked_restarts},
                                             {FaultKind::gap, rates.gaps},
                                             {FaultKind::dead_node, rates.dead_nodes},
                                             {FaultKind::lost_sample, rates.lost_samples},
                                             {FaultKind::duplicate, rates.duplicates},
                                             {FaultKind::late, rates.late},
                                             {FaultKind::nothing_mounted, rates.nothing_mounted},
                                             {FaultKind::unmount, rates.unmounts}};
  std::vector<Fault> faults;
  for (const auto& [kind, count] : kinds) {
    Random random = Random::stream(seed ^ 0xfa017u, static_cast<std::uint64_t>(day) * 64 + static_cast<std::uint64_t>(kind));
    for (int i = 0; i < count; ++i) {
      Fault fault{kind, static_cast<std::uint32_t>(random.whole(0, servers - 1)),
                  static_cast<std::uint8_t>(random.whole(0, filesystems - 1)), 0, 0};
      fault.t = day * day_length + random.whole(0, day_length - 1);
      fault.t_end = fault.t + length_of(kind, random);
      if (fault.t < end) faults.push_back(fault);
    }
  }
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) { return a.t < b.t; });
  return faults;
}

}  // namespace fathom
