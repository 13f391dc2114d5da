// SPDX-License-Identifier: Apache-2.0
#include "trace/block_records.h"

#include <cstring>

#include "trace_format/block.h"

namespace fathom::trace {

/// Once the kinds are there. False when the header's times are beyond reason.
bool BlockRecords::start_reading(const BlockHeader& header, const std::uint8_t* stretches, const std::uint8_t* end) {
  forget();
  if (static_cast<std::size_t>(end - stretches) < padding_behind_stretches) return false;
  if (header.earliest > header.latest || header.latest >> (63 - header.tick_shift) != 0 || (header.latest - header.earliest) >> 62 != 0)
    return false;
  packed_ = {stretches, end - padding_behind_stretches};
  count_ = header.records;
  last_end_ = header.base;
  earliest_ = header.earliest;
  latest_ = header.latest;
  foretold_.assign(kinds_.size(), Foretold{});
  look_ahead();
  return true;
}

/// What starts first of all that is left. What was told before holds as well: a block whose records break either is wrong.
void BlockRecords::look_ahead() {
  if (left() == 0 || packed_.left() == 0) return;
  const std::size_t lead_bytes = lead_sizes[*packed_.at >> column_count];
  std::uint64_t lead;  // may reach into the padding, and is wrong then: so is the stretch
  std::memcpy(&lead, packed_.at + 1, sizeof lead);
  if (lead_bytes < sizeof lead) lead &= (std::uint64_t{1} << 8 * lead_bytes) - 1;
  // Where the header's base is beyond reason this is too, and no promise: what starts after all that may end would pass as in between.
  if (lead <= last_end_ && last_end_ - lead <= latest_) earliest_ = std::max(earliest_, last_end_ - lead);
}

/// All columns of the next stretch; those of bytes and results only if they are not all as foretold, as they are in most.
BlockRecords::Sizes BlockRecords::unpack_columns(RecordColumns& columns) {
  const std::size_t count = stretch();
  if (packed_.left() == 0) return Sizes::wrong;
  const unsigned there = *packed_.at++;
  const std::size_t lead_bytes = lead_sizes[there >> column_count];
  if (packed_.left() < lead_bytes) return Sizes::wrong;
  packed_.at += lead_bytes;
  const auto has = [there](unsigned column) { return (there >> column & 1) != 0; };
  const bool sizes_differ = has(bytes_column) || has(result_column);
  std::uint64_t greatest_kind = 0, greatest = 0;
  for (unsigned c = 0; c < column_count; ++c) {
    if (!has(c)) {
      if (sizes_differ || (c != bytes_column && c != result_column)) columns[c].fill(0);
      continue;
    }
    if (!packed_.take(count, columns[c], greatest)) return Sizes::wrong;
    if (c == kind_column) greatest_kind = greatest;
  }
  if (!kinds_are_known(columns[kind_column], greatest_kind)) return Sizes::wrong;
  if (left() == count && packed_.left() != 0) return Sizes::wrong;
  return sizes_differ ? Sizes::differ : Sizes::as_foretold;
}

bool BlockRecords::kinds_are_known(const ColumnValues& kinds, std::uint64_t bound) const {
  return bound < kinds_.size() || *std::max_element(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(stretch())) < kinds_.size();
}

}  // namespace fathom::trace
