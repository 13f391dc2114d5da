// SPDX-License-Identifier: Apache-2.0
/// The records of one block, unpacked a stretch at a time: many threads are read side by side, and what is not yet needed of each stays as small as its planes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/join_planes.h"
#include "trace_format/columns.h"
#include "trace_format/record.h"

namespace fathom::trace {

/// What a kind says.
struct RecordKind {
  std::uint32_t object;
  std::uint16_t call;
  std::uint8_t depth, detail;
};
static_assert(sizeof(RecordKind) == sizeof(std::uint64_t));

/// One record as it was before the block was packed. Times are in the block's units (2^tick_shift ticks).
struct UnpackedRecord {
  std::uint64_t kind;  // place in BlockRecords::kinds
  std::uint64_t start, end;
  std::int64_t offset;
  std::uint64_t bytes;
  std::int64_t result;
};

/// Some records by column, as they stand in a block: what was left over by the prediction.
struct RecordColumns {
  static constexpr std::size_t most = 64;
  static_assert(most % joined_at_once == 0);
  using Values = std::array<std::uint64_t, most>;

  Values kind, offset, bytes, result, gap, duration;
};

class BlockRecords {
 public:
  std::size_t left() const { return count_ - at_; }
  const std::vector<RecordKind>& kinds() const { return kinds_; }
  /// Least start of the records that are left, of which there must be some.
  std::uint64_t earliest_left() const { return earliest_from_[at_ / RecordColumns::most]; }
  /// Calls use(record) for each of the next `stretch()` records, in the order in which the calls ended.
  template <class Use>
  void next(RecordColumns& columns, Use&& use);
  std::size_t stretch() const { return std::min(RecordColumns::most, left()); }
  /// Brings what `next` will read into the cache. Always inlined: a function that does nothing else would be left out by the compiler.
  [[gnu::always_inline]] void prefetch() const {
    for (std::size_t plane = 0; plane < plane_count_; ++plane) __builtin_prefetch(memory_.get() + plane * lines(count_) + at_ / sizeof(Line));
  }
  void forget() { at_ = count_ = 0; }

 private:
  friend class BlockDecoder;
  enum Column { kind_column, offset_column, bytes_column, result_column, gap_column, duration_column, column_count };

  bool start_reading(const BlockHeader& header);
  bool kinds_are_known() const;
  bool survey_times(const BlockHeader& header);
  bool join(RecordColumns& columns) const;
  template <bool sizes_differ, class Use>
  void unpack(const RecordColumns& columns, Use&& use);

  std::size_t count_ = 0, at_ = 0;
  std::uint64_t last_end_ = 0;
  std::vector<RecordKind> kinds_;
  std::vector<Foretold> foretold_;            // by kind
  std::vector<std::uint64_t> earliest_from_;  // least start of each stretch and those behind it
  std::array<Planes, column_count> planes_;
  struct alignas(64) Line {  // of the cache: a stretch of a plane is one or few, not one more
    std::array<std::uint8_t, 64> bytes;
  };
  static std::size_t lines(std::size_t count) { return (count + joined_at_once - 1) / sizeof(Line) + 1; }
  std::unique_ptr<Line[]> memory_;            // of the planes; grows only
  std::size_t room_ = 0;
  std::size_t plane_count_ = 0;
};

inline std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

// One loop does all: what is foretold of a record hangs on the one before it, and while the processor waits for that it can work on the rest.
template <class Use>
[[gnu::always_inline]] inline void BlockRecords::next(RecordColumns& columns, Use&& use) {
  join(columns) ? unpack<true>(columns, use) : unpack<false>(columns, use);
}

template <bool sizes_differ, class Use>
[[gnu::always_inline]] inline void BlockRecords::unpack(const RecordColumns& columns, Use&& use) {
  const std::size_t count = stretch();
  Foretold* const foretold = foretold_.data();
  std::uint64_t end = last_end_;
  for (std::size_t i = 0; i < count; ++i) {
    Foretold& next = foretold[columns.kind[i]];
    const std::uint64_t start = end + unzigzag(columns.gap[i]);
    end = start + columns.duration[i];
    const auto offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(next.next_offset()) + unzigzag(columns.offset[i]));
    if constexpr (sizes_differ) {
      const std::uint64_t bytes = next.bytes + unzigzag(columns.bytes[i]);
      next.saw(offset, bytes, static_cast<std::int64_t>(static_cast<std::uint64_t>(next.next_result(bytes)) + unzigzag(columns.result[i])));
    } else {
      next.saw_again(offset);
    }
    use(UnpackedRecord{columns.kind[i], start, end, offset, next.bytes, next.result});
  }
  last_end_ = end;
  at_ += count;
}

}  // namespace fathom::trace
