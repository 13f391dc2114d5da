// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/size_sequence.h"

#include <algorithm>

namespace fathom::trace {
namespace {

using Sequence = std::vector<SizeSequenceAnalysis::Like>;

struct Cursor {
  const Sequence* sequence;
  std::size_t at = 0;
  std::uint64_t used = 0;  // of the entry there

  bool ended() const { return at == sequence->size(); }
  const SizeSequenceAnalysis::Like& like() const { return (*sequence)[at]; }
  std::uint64_t left() const { return like().requests - used; }
  void advance(std::uint64_t requests) {
    used += requests;
    if (used == like().requests) ++at, used = 0;
  }
};

void compare_unit(std::vector<Cursor>& runs, FixedSizes& sizes) {
  while (std::none_of(runs.begin(), runs.end(), [](const Cursor& run) { return run.ended(); })) {
    std::uint64_t requests = UINT64_MAX;
    bool equal = true;
    for (const Cursor& run : runs) {
      requests = std::min(requests, run.left());
      equal = equal && run.like().bytes == runs.front().like().bytes;
    }
    (equal ? sizes.fixed : sizes.variable) += requests;
    for (Cursor& run : runs) run.advance(requests);
  }
  std::uint64_t longest = 0;
  for (Cursor& run : runs) {
    std::uint64_t rest = 0;
    while (!run.ended()) rest += run.left(), run.advance(run.left());
    longest = std::max(longest, rest);
  }
  sizes.variable += longest;
}

}  // namespace

void SizeSequenceAnalysis::take(const Seen& seen) {
  if (!seen.is(layer_) || !seen.counts || !seen.told() || !seen.moves() || seen.event.failed()) return;
  const std::uint64_t bytes = seen.event.bytes == no_bytes ? seen.bytes_moved() : seen.event.bytes;
  Sequence& sequence = units_[seen.event.unit];
  if (!sequence.empty() && sequence.back().bytes == bytes) {
    ++sequence.back().requests;
  } else {
    sequence.push_back({bytes, 1});
  }
}

FixedSizes compare_sizes(const std::vector<const SizeSequenceAnalysis*>& runs) {
  static const Sequence none;
  FixedSizes sizes;
  std::size_t units = 0;
  for (const SizeSequenceAnalysis* run : runs) units = std::max(units, run->units().size());
  for (std::size_t unit = 0; unit < units; ++unit) {
    std::vector<Cursor> cursors;
    for (const SizeSequenceAnalysis* run : runs) cursors.push_back({unit < run->units().size() ? &run->units()[unit] : &none});
    compare_unit(cursors, sizes);
  }
  return sizes;
}

}  // namespace fathom::trace
