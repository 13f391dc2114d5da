// SPDX-License-Identifier: Apache-2.0
#include "trace/slice_rows.h"

#include <algorithm>
#include <optional>
#include <span>

namespace fathom::trace {
namespace {

class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }
  bool good() const { return good_; }

  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    good_ = false;
    return 0;
  }
  std::int64_t next_signed() {
    const std::uint64_t value = next();
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
  }

 private:
  std::span<const std::uint8_t> rest_;
  bool good_ = true;
};

struct OneBlock {
  std::int64_t length = 0;
  std::vector<ClockStep> steps;
  std::vector<SliceRow> rows;
};

/// Numbers of slices beyond which times in nanoseconds would not fit any more.
bool in_reach(std::int64_t number, std::int64_t length) {
  const std::int64_t most = INT64_MAX / length - 1;
  return number >= -most && number <= most;
}

std::optional<OneBlock> decode(const Block& block) {
  Numbers numbers({block.payload, block.header.payload_bytes});
  OneBlock found;
  const std::uint64_t length = numbers.next(), steps = numbers.next();
  if (!numbers.good() || length < static_cast<std::uint64_t>(shortest_slice) || length > static_cast<std::uint64_t>(INT64_MAX) ||
      steps > most_steps)
    return std::nullopt;
  found.length = static_cast<std::int64_t>(length);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const std::int64_t at = numbers.next_signed(), by = numbers.next_signed();
    found.steps.push_back({at, by});
  }
  std::uint64_t before = 0;
  while (!numbers.at_end() && numbers.good()) {
    SliceRow row{};
    before += static_cast<std::uint64_t>(numbers.next_signed());
    row.number = static_cast<std::int64_t>(before);
    const std::uint64_t bits = numbers.next();
    if (bits >> slice_counters != 0 || !in_reach(row.number, found.length)) return std::nullopt;
    for (std::size_t c = 0; c < slice_counters; ++c)
      if (bits >> c & 1) row.values[c] = numbers.next();
    found.rows.push_back(row);
  }
  if (!numbers.good() || found.rows.size() != block.header.records) return std::nullopt;
  return found;
}

}  // namespace

void add_up(std::vector<SliceRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const SliceRow& a, const SliceRow& b) { return a.number < b.number; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (kept > 0 && rows[kept - 1].number == rows[i].number) {
      for (std::size_t c = 0; c < slice_counters; ++c) rows[kept - 1].values[c] += rows[i].values[c];
    } else {
      rows[kept++] = rows[i];
    }
  }
  rows.resize(kept);
}

SliceRows put_slices_together(const std::map<std::uint64_t, Block>& blocks) {
  SliceRows all;
  for (const auto& [number, block] : blocks) {
    const auto found = decode(block);
    if (!found) {
      ++all.broken;
      continue;
    }
    if (all.length == 0) all.length = found->length;
    if (all.length != found->length) {
      ++all.other_length;
      continue;
    }
    all.rows.insert(all.rows.end(), found->rows.begin(), found->rows.end());
    all.steps.insert(all.steps.end(), found->steps.begin(), found->steps.end());
  }
  add_up(all.rows);
  return all;
}

}  // namespace fathom::trace
