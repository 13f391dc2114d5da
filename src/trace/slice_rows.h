// SPDX-License-Identifier: Apache-2.0
/// The time slices of a process, put together from the blocks that hold them.
#pragma once

#include <map>
#include <vector>

#include "trace/block_file.h"
#include "trace_format/slice.h"

namespace fathom::trace {

struct SliceRows {
  std::int64_t length = 0;     // nanoseconds; 0: the process has no slices
  std::vector<SliceRow> rows;  // in order, none twice; times in nanoseconds
  std::vector<ClockStep> steps;
  std::uint64_t broken = 0;        // blocks whose content makes no sense: left out
  std::uint64_t other_length = 0;  // blocks of slices that are longer or shorter than the first: left out
};

/// Puts rows in order; those of the same slice become one.
void add_up(std::vector<SliceRow>& rows);
/// Rows of different blocks add up.
SliceRows put_slices_together(const std::map<std::uint64_t, Block>& blocks);

}  // namespace fathom::trace
