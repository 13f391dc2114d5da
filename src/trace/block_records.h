// SPDX-License-Identifier: Apache-2.0
/// The records of one block, unpacked a stretch at a time: many threads are read side by side, and what is not yet needed of each stays
/// packed where it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace/unpack.h"
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

/// One record as it was before the block was packed.
struct UnpackedRecord {
  std::uint64_t kind;  // place in BlockRecords::kinds
  std::int64_t start, end, offset;
  std::uint64_t bytes;
  std::int64_t result;
};

/// A stretch by column, as it stands in a block: what was left over by the prediction. But times stand where gaps and durations were.
using RecordColumns = std::array<ColumnValues, column_count>;
inline constexpr auto start_column = gap_column, end_column = duration_column;

class BlockRecords {
 public:
  std::size_t left() const { return count_ - at_; }
  const std::vector<RecordKind>& kinds() const { return kinds_; }
  /// No record that is left starts before this.
  std::uint64_t earliest_left() const { return earliest_; }
  /// Calls use(record), its times as `clock` makes them of the block's, for each of the next `stretch()` records, in the order in which the
  /// calls ended. False, without any, if the block is not what it says: no others are left then.
  template <class Clock, class Use>
  bool next(RecordColumns& columns, Clock&& clock, Use&& use);
  std::size_t stretch() const { return std::min(stretch_records, left()); }
  /// Brings what `next` will read into the cache. Always inlined: a function that does nothing else would be left out by the compiler.
  [[gnu::always_inline]] void prefetch() const {
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(packed_.at + line * 64);
  }
  void forget() { at_ = count_ = 0; }

 private:
  friend class BlockDecoder;
  enum class Sizes { wrong, as_foretold, differ };

  bool start_reading(const BlockHeader& header, const std::uint8_t* stretches, const std::uint8_t* end);
  void look_ahead();
  Sizes unpack_columns(RecordColumns& columns);
  bool kinds_are_known(const ColumnValues& kinds, std::uint64_t bound) const;
  template <class Clock>
  bool unpack_times(RecordColumns& columns, Clock&& clock);
  template <bool sizes_differ, class Use>
  void unpack(const RecordColumns& columns, Use&& use);

  std::size_t count_ = 0, at_ = 0;
  PackedColumns packed_;  // the stretches that are left
  std::uint64_t last_end_ = 0, earliest_ = 0, latest_ = 0;
  std::vector<RecordKind> kinds_;
  std::vector<Foretold> foretold_;  // by kind
};

template <class Clock, class Use>
[[gnu::always_inline]] inline bool BlockRecords::next(RecordColumns& columns, Clock&& clock, Use&& use) {
  const Sizes sizes = unpack_columns(columns);
  if (sizes == Sizes::wrong || !unpack_times(columns, clock)) return forget(), false;
  sizes == Sizes::differ ? unpack<true>(columns, use) : unpack<false>(columns, use);
  look_ahead();
  return true;
}

/// Makes starts and ends of gaps and durations. False when one is not between what was promised.
template <class Clock>
[[gnu::always_inline]] inline bool BlockRecords::unpack_times(RecordColumns& columns, Clock&& clock) {
  const std::size_t count = stretch();
  const std::uint64_t earliest = earliest_, latest = latest_;
  std::uint64_t end = last_end_, beyond = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t start = end + columns[gap_column][i], duration = columns[duration_column][i];
    end = start + duration;
    columns[start_column][i] = static_cast<std::uint64_t>(clock(start));
    columns[end_column][i] = static_cast<std::uint64_t>(clock(end));
    // Their sum is latest - earliest, which is less than 2^62: were one of them negative, that or another would have a bit above.
    beyond |= (start - earliest) | duration | (latest - end);
  }
  last_end_ = end;
  return beyond >> 62 == 0;
}

// One loop does all but the times: what is foretold of a record hangs on the one before it, and while the processor waits for that it can
// work on the rest.
template <bool sizes_differ, class Use>
[[gnu::always_inline]] inline void BlockRecords::unpack(const RecordColumns& columns, Use&& use) {
  const std::size_t count = stretch();
  Foretold* const foretold = foretold_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t kind = columns[kind_column][i];
    Foretold& next = foretold[kind];
    const auto offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(next.next_offset()) + columns[offset_column][i]);
    if constexpr (sizes_differ) {
      const std::uint64_t bytes = next.bytes + columns[bytes_column][i];
      next.saw(offset, bytes, static_cast<std::int64_t>(static_cast<std::uint64_t>(next.next_result(bytes)) + columns[result_column][i]));
    } else {
      next.saw_again(offset);
    }
    use(UnpackedRecord{kind, static_cast<std::int64_t>(columns[start_column][i]), static_cast<std::int64_t>(columns[end_column][i]), offset,
                       next.bytes, next.result});
  }
  at_ += count;
}

}  // namespace fathom::trace
