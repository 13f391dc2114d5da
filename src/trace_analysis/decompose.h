// SPDX-License-Identifier: Apache-2.0
/// Where the time of MPI-IO calls goes: POSIX reads, writes, locks and unlocks inside them, and waiting (RIOT Fig. 5).
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// What a moment inside an MPI-IO call was spent in.
enum class Part : std::uint8_t { read, write, lock, unlock, other, waiting };
inline constexpr std::size_t part_count = 6;
inline constexpr std::array<const char*, part_count> part_names = {"read", "write", "lock", "unlock", "other", "waiting"};
/// As pictures show them.
inline constexpr std::array<char, part_count> part_letters = {'R', 'W', 'L', 'U', 'o', '.'};
/// Of a POSIX call.
Part part_of(Operation operation);

struct Decomposition {
  std::string name;  // of the MPI-IO call, or of a total
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::int64_t time = 0;                                // nanoseconds inside the calls, over all ranks
  std::array<std::int64_t, part_count> parts{};         // they add up to `time`, exactly
  std::array<std::uint64_t, part_count> posix_calls{};  // waiting: none

  double share(Part part) const {
    return time > 0 ? static_cast<double>(parts[static_cast<std::size_t>(part)]) / static_cast<double>(time) : 0;
  }
  void add(const Decomposition& other);
};

/// Each moment of a call counts once: where POSIX calls of several threads overlap, for the one that began first.
class DecomposeAnalysis : public Analysis {
 public:
  void take(const Seen& seen) override;
  void finish() override;

  /// After finish: by name, those that took longest first.
  const std::vector<Decomposition>& calls() const { return calls_; }
  /// "read", "write", "read+write", "all" (with opens, closes, syncs).
  const std::vector<Decomposition>& totals() const { return totals_; }
  const Decomposition* total(std::string_view name) const;

 private:
  struct Under {  // a call that is under way
    std::size_t group;
    std::int64_t end;
    std::int64_t covered;  // until when its time is accounted for
  };
  std::size_t group_of(const Seen& seen);
  void forget_before(std::int64_t time);

  std::unordered_map<std::uint64_t, Under> under_way_;
  std::size_t forget_at_ = 1024;
  std::unordered_map<std::uint32_t, std::size_t> groups_;  // by call and direction
  std::vector<std::uint8_t> direction_;                    // of the groups: 0 read, 1 write, 2 neither
  std::vector<Decomposition> calls_, totals_;
};

}  // namespace fathom::trace
