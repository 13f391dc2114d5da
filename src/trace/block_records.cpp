// SPDX-License-Identifier: Apache-2.0
#include "trace/block_records.h"

#include <algorithm>

#include "trace_format/block.h"

namespace fathom::trace {
namespace {

std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

}  // namespace

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

/// Gaps and durations of the next stretch to times.
void BlockRecords::read_times(RecordColumns& columns) {
  join_planes(planes_[gap_column], at_, columns.count, columns.start.data());
  join_planes(planes_[duration_column], at_, columns.count, columns.end.data());
  std::uint64_t end = last_end_;
  for (std::size_t i = 0; i < columns.count; ++i) {
    const std::uint64_t start = end + unzigzag(columns.start[i]);
    end = start + columns.end[i];
    columns.start[i] = start;
    columns.end[i] = end;
  }
  last_end_ = end;
}

void BlockRecords::add_foretold(RecordColumns& columns) {
  for (std::size_t i = 0; i < columns.count; ++i) {
    Foretold& next = foretold_[columns.kind[i]];
    const std::uint64_t offset = static_cast<std::uint64_t>(next.next_offset()) + unzigzag(columns.offset[i]);
    const std::uint64_t bytes = next.bytes + unzigzag(columns.bytes[i]);
    const std::uint64_t result = static_cast<std::uint64_t>(next.next_result(bytes)) + unzigzag(columns.result[i]);
    next.saw(static_cast<std::int64_t>(offset), bytes, static_cast<std::int64_t>(result));
    columns.offset[i] = offset;
    columns.bytes[i] = bytes;
    columns.result[i] = result;
  }
}

void BlockRecords::next(RecordColumns& columns) {
  columns.count = std::min(columns.most, left());
  if (columns.count == 0) return;
  read_times(columns);
  join_planes(planes_[kind_column], at_, columns.count, columns.kind.data());
  join_planes(planes_[offset_column], at_, columns.count, columns.offset.data());
  join_planes(planes_[bytes_column], at_, columns.count, columns.bytes.data());
  join_planes(planes_[result_column], at_, columns.count, columns.result.data());
  add_foretold(columns);
  at_ += columns.count;
}

}  // namespace fathom::trace
