// SPDX-License-Identifier: Apache-2.0
/// All calls of a traced run in memory, so that any window of time can be drawn at once. Beyond a limit only a coarse picture is kept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dashboard/call_levels.h"
#include "trace_analysis/bandwidth.h"

namespace fathom::dashboard {

/// What a call does, as pictures colour it. Waits for data are of its direction.
enum class CallKind : std::uint8_t { read, write, metadata, sync, lock };
inline constexpr std::size_t kind_count = 5;
inline constexpr std::array<std::string_view, kind_count> kind_names = {"read", "write", "metadata", "sync", "lock"};
CallKind kind_of(trace::Operation operation, std::optional<Direction> direction);

struct KeepLimits {
  std::size_t calls = 22'000'000;  // of 44 bytes each
  std::size_t scanned =
      2'000'000;               // that one answer may go through; wider windows are taken from the coarse picture where it is fine enough
  std::size_t columns = 4096;  // of the coarse picture
  std::size_t rows = 256;      // of any picture
};

struct TimeWindow {
  std::int64_t from = 0, to = 0;  // nanoseconds of Unix time
};

/// Time inside calls by column, row and kind.
struct CallPicture {
  std::int64_t t0 = 0, step = 1;  // nanoseconds
  std::size_t columns = 0, rows = 0;
  std::size_t units_per_row = 1;    // the last row may have fewer
  std::vector<std::uint64_t> time;  // nanoseconds
  std::uint64_t calls = 0;          // that were under way in the window, of all interfaces
  bool exact = true;

  std::uint64_t at(std::size_t row, std::size_t column, CallKind kind) const {
    return time[(column * rows + row) * kind_count + static_cast<std::size_t>(kind)];
  }
};

/// One call as it was.
struct OneCall {
  std::uint64_t row = 0;
  std::uint64_t parent = trace::no_row;
  std::uint32_t unit = 0, thread = 0, file = trace::no_file, depth = 0;
  std::uint16_t call = 0;
  CallKind kind = CallKind::metadata;
  bool counts = false;  // on a file that holds data
  std::int64_t start = 0, end = 0, offset = 0, result = 0;
  std::uint64_t bytes = 0;
};

struct CallChoice {
  TimeWindow window;  // calls that were under way in it
  std::optional<std::uint32_t> unit;
  std::optional<std::uint64_t> inside;  // row: calls made by this one, and by those
  std::optional<trace::Interface> interface;
  bool all = false;          // also those that do not count
  std::size_t limit = 1000;  // the longest
};

struct ChosenCalls {
  std::uint64_t total = 0;
  std::vector<OneCall> calls;  // in order of their start
};

/// Bytes that POSIX calls moved, by bin.
struct MovedBytes {
  std::array<std::vector<double>, 2> bytes;  // read, written
};

class KeptCalls : public trace::Analysis {
 public:
  explicit KeptCalls(const trace::Trace& trace, KeepLimits limits = {});
  void take(const trace::Seen& seen) override;
  void finish() override;

  /// False: only the coarse picture is left.
  bool exact() const { return !folded_; }
  std::uint64_t seen() const { return seen_; }
  TimeWindow whole() const { return whole_; }
  std::vector<trace::Interface> interfaces() const;
  std::size_t units() const { return units_; }

  /// At most so many columns and rows. A coarse picture begins and ends where its own columns do.
  CallPicture picture(TimeWindow window, std::size_t columns, std::size_t rows, trace::Interface interface) const;
  /// Nothing where calls were not kept one by one.
  std::optional<ChosenCalls> choose(const CallChoice& choice) const;
  std::optional<OneCall> call(std::uint64_t row) const;
  /// How many reads and writes were under way. From what was kept, or from the coarse steps of the whole run.
  CallLevels levels(TimeWindow window, std::size_t most, trace::Interface interface) const;
  MovedBytes moved(TimeWindow window, std::size_t bins) const;

 private:
  // Sixteen bytes that every picture reads, and the rest beside them.
  struct Hot {
    std::int64_t start;
    std::uint32_t length;  // nanoseconds; `long_call`: in long_
    std::uint32_t who;
  };
  struct Rest {
    std::int64_t offset;
    std::uint32_t bytes, result;  // `wide`: in wide_; `no_size`: none were asked for
    std::uint32_t file, parent;
    std::uint16_t call, thread;
  };
  struct Wide {
    std::uint64_t bytes;
    std::int64_t result;
    std::uint32_t thread;
  };
  static constexpr std::uint32_t long_call = UINT32_MAX, wide = UINT32_MAX, no_size = UINT32_MAX - 1, none = UINT32_MAX;
  static constexpr std::size_t block = 1024;

  std::int64_t end_of(std::size_t row) const { return hot_[row].start + length_of(row); }
  std::int64_t length_of(std::size_t row) const {
    return hot_[row].length != long_call ? hot_[row].length : long_.at(static_cast<std::uint32_t>(row));
  }
  OneCall made(std::size_t row) const;
  void keep(const trace::Seen& seen);
  void start_coarse();
  void fold(std::uint32_t who, std::int64_t start, std::int64_t end, std::uint64_t moved);
  void drop_single();
  template <class Use>
  void for_each_in(TimeWindow window, Use&& use) const;
  /// Not more than these are under way in the window; found quickly.
  std::size_t about(TimeWindow window) const;
  template <class Use>
  void for_each_inside(std::uint64_t row, Use&& use) const;
  std::size_t units_per_row(std::size_t rows) const;
  CallPicture exact_picture(TimeWindow window, std::size_t columns, std::size_t rows, trace::Interface interface) const;
  CallPicture coarse_picture(TimeWindow window, std::size_t columns, std::size_t rows, trace::Interface interface) const;

  const KeepLimits limits_;
  const TimeWindow whole_;
  const std::size_t units_;
  std::uint64_t seen_ = 0;
  bool coarse_made_ = false;  // there is a coarse picture
  bool folded_ = false;       // and nothing else
  std::array<bool, trace::interface_count> used_{};
  std::vector<Hot> hot_;
  std::vector<Rest> rest_;
  std::unordered_map<std::uint32_t, std::int64_t> long_;
  std::unordered_map<std::uint32_t, Wide> wide_;
  std::vector<std::int64_t> latest_;  // end of any call, by block

  // The coarse picture.
  std::int64_t coarse_step_ = 1;
  std::size_t coarse_rows_ = 0, coarse_per_row_ = 1;
  std::array<std::vector<std::uint64_t>, trace::interface_count> coarse_;
  std::vector<std::uint64_t> coarse_calls_;  // that began in a column
  std::array<std::vector<double>, 2> coarse_bytes_;
  std::array<std::optional<LevelSweep>, trace::interface_count> sweeps_;
  std::array<CallLevels, trace::interface_count> whole_levels_;
};

}  // namespace fathom::dashboard
