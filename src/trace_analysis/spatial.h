// SPDX-License-Identifier: Apache-2.0
/// Where in their files processes read and write: patterns of each (criterion 2.7), of all together, and what comes again (criterion 2.10).
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "trace_analysis/access_pattern.h"
#include "trace_analysis/analysis.h"
#include "trace_analysis/offset_sequence.h"

namespace fathom::trace {

/// How the parts of a shared file that processes use lie to each other (the global view, D Fig. 3.1).
enum class Layout : std::uint8_t { segmented, interleaved, overlapping };
inline constexpr std::array<const char*, 3> layout_names = {"segmented", "interleaved", "overlapping"};

struct GlobalPattern {
  std::uint32_t file = no_file;
  Direction direction = Direction::read;
  std::uint32_t units = 0;
  /// segmented: each unit has a range of its own; interleaved: ranges reach into each other, but no byte is used twice, as far as amounts
  /// tell; overlapping: together they move more than the range holds.
  Layout layout = Layout::segmented;
  AccessShares in_time;  // all units' requests in order of their start
};

/// Sequences of at least three requests that came again.
struct Repeats {
  std::uint64_t streams = 0;          // processes x openings x types with three requests or more
  std::uint64_t requests = 0;         // in them
  std::uint64_t inside = 0;           // streams that repeat themselves
  std::uint64_t inside_requests = 0;  // beyond the first period
  std::uint64_t same_file = 0;        // streams equal to an earlier one of the same file and process: caching helps
  std::uint64_t same_file_requests = 0;
  std::uint64_t elsewhere = 0;  // equal to an earlier one of another file or process: prefetching helps
  std::uint64_t elsewhere_requests = 0;
  std::uint64_t most_common_period = 0;  // in requests; 0: none
};

class SpatialAnalysis : public Analysis {
 public:
  explicit SpatialAnalysis(Interface layer) : layer_(layer) {}
  void take(const Seen& seen) override;
  void finish() override;

  /// By direction, over all processes and openings.
  const std::array<AccessShares, 2>& local() const { return local_; }
  const std::vector<GlobalPattern>& global() const { return global_; }
  const std::array<Repeats, 2>& repeats() const { return repeats_; }
  std::uint64_t without_offset() const { return without_offset_; }

 private:
  struct Stream {  // of one process, opening and type
    AccessPattern pattern;
    OffsetSequence offsets;
    std::uint32_t file = no_file, process = 0;
  };
  struct Extent {
    std::int64_t from = INT64_MAX, to = INT64_MIN;
    std::uint64_t bytes = 0;
  };
  struct Sequence {  // as first met
    std::uint32_t file, process;
  };
  void end(std::uint64_t key);
  void note_repeats(const Stream& stream, std::size_t direction);
  void make_global();

  Interface layer_;
  std::unordered_map<std::uint64_t, Stream> streams_;                 // by process, handle and direction
  std::unordered_map<std::uint64_t, AccessPattern> whole_;            // by file and direction
  std::array<std::unordered_map<std::uint64_t, Extent>, 2> extents_;  // by file and unit
  std::array<std::unordered_map<std::uint64_t, Sequence>, 2> sequences_;
  std::array<std::unordered_map<std::uint64_t, std::uint64_t>, 2> periods_;
  std::array<AccessShares, 2> local_;
  std::vector<GlobalPattern> global_;
  std::array<Repeats, 2> repeats_;
  std::uint64_t without_offset_ = 0;
};

}  // namespace fathom::trace
