// SPDX-License-Identifier: Apache-2.0
/// How fast data moved, seen from the program, from MPI and from the file system (RIOT, section 3 and Tables 4 and 5).
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

inline constexpr std::size_t interface_count = interface_names.size();

/// Calls of one interface in one direction. Times are nanoseconds; those of overlapping threads add up.
struct Moved {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::int64_t time = 0;                             // inside the calls, and inside the waits that complete them; over all ranks
  std::int64_t busy = 0;                             // while at least one was under way
  std::int64_t first = INT64_MAX, last = INT64_MIN;  // start of the first, end of the last
  std::uint32_t ranks = 0;                           // that made such calls

  /// Bytes / sum over ranks of the time inside the calls: as if they were made one after the other.
  double effective() const;
  /// Bytes / mean over `of` ranks of the time inside the calls.
  double perceived(std::uint32_t of) const;
  double while_busy() const;  // bytes / busy
  double span() const;        // bytes / (last end - first start)
};

/// A bound of RIOT's section 3; it need not hold: data sieving, threads and non-blocking calls break it.
enum class Bound : std::uint8_t { holds, does_not_hold, unknown };

struct Bandwidth {
  std::uint32_t file = no_file;  // no_file: all together
  std::uint32_t ranks = 0;       // of the run, or those that used the file
  bool over_all = false;         // perceived is a mean over all ranks of an MPI program; otherwise over those that made such calls
  std::array<std::array<Moved, 2>, interface_count> moved;  // by interface and direction

  const Moved& of(Interface interface, Direction direction) const {
    return moved[static_cast<std::size_t>(interface)][static_cast<std::size_t>(direction)];
  }
  /// The interface whose calls the program waits for: MPI-IO where it is used, POSIX otherwise.
  Interface perceived_at(Direction direction) const;
  double perceived(Direction direction) const;
  std::uint32_t mean_over(Interface interface, Direction direction) const { return over_all ? ranks : of(interface, direction).ranks; }
  /// perceived MPI <= bytes per second while POSIX calls were under way.
  Bound lower_bound(Direction direction) const;
  /// bytes per second while POSIX calls were under way <= effective POSIX x ranks.
  Bound upper_bound(Direction direction) const;
};

class BandwidthAnalysis : public Analysis {
 public:
  explicit BandwidthAnalysis(const Trace& trace);
  void take(const Seen& seen) override;
  void finish() override;

  /// After finish.
  const Bandwidth& all() const { return all_.bandwidth; }
  /// Files that data was moved to or from, in the order of the trace.
  std::vector<Bandwidth> files() const;

 private:
  struct Account {
    Bandwidth bandwidth;
    std::array<std::array<std::int64_t, 2>, interface_count> busy_until{};
  };
  static void add(Account& account, const Seen& seen);

  std::uint32_t run_ranks_;
  bool has_ranks_ = false;
  Account all_;
  std::unordered_map<std::uint32_t, Account> files_;
  std::unordered_map<std::uint64_t, std::uint8_t> used_;  // by file and unit: bits of interface x direction
};

}  // namespace fathom::trace
