// SPDX-License-Identifier: Apache-2.0
#include "trace/block_records.h"

#include <algorithm>

#include "trace_format/block.h"

namespace fathom::trace {
/// Once the planes and kinds are there. False when they are not what the header says.
bool BlockRecords::start_reading(const BlockHeader& header) {
  count_ = header.records;
  if (!kinds_are_known() || !survey_times(header)) {
    forget();
    return false;
  }
  foretold_.assign(kinds_.size(), Foretold{});
  return true;
}

bool BlockRecords::kinds_are_known() const {
  const Planes& planes = planes_[kind_column];
  if (planes.number == 0) return true;
  std::uint64_t greatest = 0;
  if (planes.number == 1) {
    std::uint8_t greatest_byte = 0;
    for (std::size_t i = 0; i < count_ && planes.bytes[0] != nullptr; ++i) greatest_byte = std::max(greatest_byte, planes.bytes[0][i]);
    greatest = greatest_byte;
  } else {
    RecordColumns::Values numbers;
    for (std::size_t at = 0; at < count_; at += numbers.size()) {
      const std::size_t count = std::min(numbers.size(), count_ - at);
      join_planes(planes, at, count, numbers.data());
      greatest = std::max(greatest, *std::max_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count)));
    }
  }
  return greatest < kinds_.size();
}

/// Goes through all times once to know what comes when. False when the header's earliest and latest are not theirs, by which blocks are put in order.
bool BlockRecords::survey_times(const BlockHeader& header) {
  earliest_from_.clear();
  RecordColumns::Values gaps, durations;
  std::uint64_t end = header.base, latest = 0, all_bits = 0;
  for (std::size_t at = 0; at < count_; at += gaps.size()) {
    const std::size_t count = std::min(gaps.size(), count_ - at);
    join_planes(planes_[gap_column], at, count, gaps.data());
    join_planes(planes_[duration_column], at, count, durations.data());
    std::uint64_t earliest = UINT64_MAX;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t start = end + unzigzag(gaps[i]);
      end = start + durations[i];
      earliest = std::min(earliest, start);
      latest = std::max(latest, end);
      all_bits |= start | durations[i];
    }
    earliest_from_.push_back(earliest);
  }
  for (std::size_t i = earliest_from_.size() - 1; i > 0; --i) earliest_from_[i - 1] = std::min(earliest_from_[i - 1], earliest_from_[i]);
  at_ = 0;
  last_end_ = header.base;
  const bool no_overflow = all_bits >> 63 == 0;
  return no_overflow && earliest_from_.front() == header.earliest && latest == header.latest && latest >> (63 - header.tick_shift) == 0;
}

/// The next stretch of every column. False if all bytes and results are as foretold, as they are in most: then these columns are left out.
bool BlockRecords::join(RecordColumns& columns) const {
  const std::size_t count = stretch();
  join_planes(planes_[kind_column], at_, count, columns.kind.data());
  join_planes(planes_[offset_column], at_, count, columns.offset.data());
  join_planes(planes_[gap_column], at_, count, columns.gap.data());
  join_planes(planes_[duration_column], at_, count, columns.duration.data());
  if (all_zero(planes_[bytes_column], at_, count) && all_zero(planes_[result_column], at_, count)) return false;
  join_planes(planes_[bytes_column], at_, count, columns.bytes.data());
  join_planes(planes_[result_column], at_, count, columns.result.data());
  return true;
}

}  // namespace fathom::trace
