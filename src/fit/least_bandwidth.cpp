// SPDX-License-Identifier: Apache-2.0
#include "fit/least_bandwidth.h"

#include <algorithm>
#include <cmath>

namespace fathom::fit {
namespace {

using namespace simulate;

constexpr double precision = 1e-4;
constexpr double no_limit = 1'000'000.0 * static_cast<double>(GiB);

/// The interval by itself: only its servers, and only what they did in it.
class Trial {
 public:
  static Result<Trial> prepare(const Work& machine, const LinkLoad& load, const LoadInterval& interval) {
    Trial trial;
    std::vector<WorkIncrement> increments;
    std::vector<std::uint32_t> numbers(machine.nodes.size(), UINT32_MAX);
    for (std::size_t i = interval.first; i < interval.last; ++i) {
      WorkIncrement each = load.parts[i];
      std::uint32_t& number = numbers[each.node];
      if (number == UINT32_MAX) {
        number = static_cast<std::uint32_t>(trial.work_.nodes.size());
        trial.work_.nodes.push_back({machine.nodes[each.node].name, machine.nodes[each.node].compute_nodes, {}});
        trial.ends_.push_back(0);
      }
      each.node = number;
      each.start -= interval.start, each.end -= interval.start;
      trial.ends_[number] = std::max(trial.ends_[number], each.end);
      increments.push_back(each);
    }
    trial.bytes_ = interval.bytes;
    TRY_VOID(lay_out(trial.work_, std::move(increments)));
    return trial;
  }

  Result<bool> matches(const Architecture& architecture) const {
    std::uint64_t late = 0;
    TRY(const Outcome ignored, run(architecture, work_, nullptr, [&](const Completion& each) {
          if (each.stored > ends_[each.node]) late += each.bytes;
        }));
    return static_cast<double>(late) <= match_tolerance * static_cast<double>(bytes_);
  }

 private:
  Work work_;
  std::vector<Picoseconds> ends_;  // of each node
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<LeastBandwidth> least_bandwidth(Architecture architecture, std::uint64_t Architecture::*link, const Work& work, const LinkLoad& load,
                                       std::size_t interval) {
  TRY(const Trial trial, Trial::prepare(work, load, load.intervals[interval]));
  LeastBandwidth found;
  const auto enough = [&](double bandwidth) {
    architecture.*link = static_cast<std::uint64_t>(std::ceil(std::clamp(bandwidth, 1.0, no_limit)));
    ++found.simulations;
    return trial.matches(architecture);
  };
  // No link carries the bytes in less time than at this rate, so it is below, or just at, what is looked for.
  double low = load.intervals[interval].rate() * (1 - 2 * match_tolerance), high = low;
  for (double wider = 4 * match_tolerance;; wider *= 4) {
    high = low * (1 + wider);
    TRY(const bool is_enough, enough(high));
    if (is_enough) break;
    if (high >= no_limit) return found;
    low = high;
  }
  while (high - low > precision * high && high - low > 1) {
    TRY(const bool is_enough, enough((low + high) / 2));
    (is_enough ? high : low) = (low + high) / 2;
  }
  found.bytes_per_second = static_cast<std::uint64_t>(std::ceil(high));
  return found;
}

}  // namespace fathom::fit
