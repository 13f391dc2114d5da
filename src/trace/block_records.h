// SPDX-License-Identifier: Apache-2.0
/// The records of one block, unpacked a stretch at a time: many threads are read side by side, and what is not yet needed of each stays as small as its planes.
#pragma once

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

/// Some records by column, in the order in which the calls ended. Times are in the block's units (2^tick_shift ticks).
struct RecordColumns {
  static constexpr std::size_t most = 64;
  static_assert(most % joined_at_once == 0);
  using Values = std::array<std::uint64_t, most>;

  std::size_t count = 0;
  Values kind;                   // place in BlockRecords::kinds
  Values start, end;
  Values offset, bytes, result;  // offset and result are signed, by their bits
};

class BlockRecords {
 public:
  std::size_t left() const { return count_ - at_; }
  const std::vector<RecordKind>& kinds() const { return kinds_; }
  /// Least start of the records that are left, of which there must be some.
  std::uint64_t earliest_left() const { return earliest_from_[at_ / RecordColumns::most]; }
  void next(RecordColumns& columns);
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
  void read_times(RecordColumns& columns);
  void add_foretold(RecordColumns& columns);

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

}  // namespace fathom::trace
