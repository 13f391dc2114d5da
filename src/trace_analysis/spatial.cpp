// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/spatial.h"

#include <algorithm>

namespace fathom::trace {
namespace {

constexpr std::uint64_t shortest_sequence = 3;
constexpr std::size_t most_sequences = 1 << 20;  // different ones that are remembered

/// Numbers of processes and openings stay below 2^31: one bit is left for the direction.
std::uint64_t stream_key(const Event& event, std::size_t direction) {
  return static_cast<std::uint64_t>(event.process) << 33 | static_cast<std::uint64_t>(event.handle) << 1 | direction;
}

}  // namespace

void SpatialAnalysis::take(const Seen& seen) {
  if (!seen.is(layer_) || !seen.counts || !seen.told() || seen.event.failed()) return;
  const Event& event = seen.event;
  if (seen.call.operation == Operation::close) {
    for (std::size_t d = 0; d < 2; ++d) end(stream_key(event, d));
    return;
  }
  if (!seen.moves()) return;
  if (event.offset == no_offset) {
    ++without_offset_;
    return;
  }
  const auto direction = static_cast<std::size_t>(*seen.direction);
  const std::uint64_t bytes = seen.bytes_moved();
  Stream& stream = streams_[stream_key(event, direction)];
  stream.file = event.file;
  stream.process = event.process;
  stream.pattern.add(event.offset, bytes);
  stream.offsets.add(event.offset);
  whole_[static_cast<std::uint64_t>(event.file) << 1 | direction].add(event.offset, bytes);
  Extent& extent = extents_[direction][static_cast<std::uint64_t>(event.file) << 32 | event.unit];
  extent.from = std::min(extent.from, event.offset);
  extent.to = std::max(extent.to, event.offset + static_cast<std::int64_t>(bytes));
  extent.bytes += bytes;
}

void SpatialAnalysis::note_repeats(const Stream& stream, std::size_t direction) {
  const std::uint64_t requests = stream.offsets.size();
  if (requests < shortest_sequence) return;
  Repeats& repeats = repeats_[direction];
  ++repeats.streams;
  repeats.requests += requests;
  if (const auto period = stream.offsets.period()) {
    ++repeats.inside;
    repeats.inside_requests += requests - *period;
    ++periods_[direction][*period];
  }
  auto& known = sequences_[direction];
  const auto found = known.find(stream.offsets.digest());
  if (found == known.end()) {
    if (known.size() < most_sequences) known.emplace(stream.offsets.digest(), Sequence{stream.file, stream.process});
    return;
  }
  const bool here = found->second.file == stream.file && found->second.process == stream.process;
  ++(here ? repeats.same_file : repeats.elsewhere);
  (here ? repeats.same_file_requests : repeats.elsewhere_requests) += requests;
  if (here) ++periods_[direction][requests];
}

void SpatialAnalysis::end(std::uint64_t key) {
  const auto found = streams_.find(key);
  if (found == streams_.end()) return;
  const std::size_t direction = key & 1;
  local_[direction].add(found->second.pattern.finish());
  note_repeats(found->second, direction);
  streams_.erase(found);
}

void SpatialAnalysis::make_global() {
  for (std::size_t d = 0; d < 2; ++d) {
    std::vector<std::pair<std::uint64_t, Extent>> by_file(extents_[d].begin(), extents_[d].end());
    std::sort(by_file.begin(), by_file.end(), [](const auto& a, const auto& b) {
      const std::uint64_t fa = a.first >> 32, fb = b.first >> 32;
      return fa != fb ? fa < fb : a.second.from != b.second.from ? a.second.from < b.second.from : a.second.to < b.second.to;
    });
    for (std::size_t i = 0; i < by_file.size();) {
      GlobalPattern pattern;
      pattern.file = static_cast<std::uint32_t>(by_file[i].first >> 32);
      pattern.direction = static_cast<Direction>(d);
      Extent all;
      bool apart = true;
      for (; i < by_file.size() && by_file[i].first >> 32 == pattern.file; ++i, ++pattern.units) {
        const Extent& extent = by_file[i].second;
        apart = apart && extent.from >= all.to;
        all.from = std::min(all.from, extent.from);
        all.to = std::max(all.to, extent.to);
        all.bytes += extent.bytes;
      }
      if (pattern.units < 2) continue;
      pattern.layout = apart                                                        ? Layout::segmented
                       : all.bytes <= static_cast<std::uint64_t>(all.to - all.from) ? Layout::interleaved
                                                                                    : Layout::overlapping;
      pattern.in_time = whole_[static_cast<std::uint64_t>(pattern.file) << 1 | d].finish();
      global_.push_back(std::move(pattern));
    }
  }
}

void SpatialAnalysis::finish() {
  std::vector<std::uint64_t> left;
  for (const auto& [key, stream] : streams_) left.push_back(key);
  std::sort(left.begin(), left.end());  // which of equal sequences is the first must not depend on a hash
  for (const std::uint64_t key : left) end(key);
  make_global();
  for (std::size_t d = 0; d < 2; ++d) {
    std::uint64_t most = 0;
    for (const auto& [period, times] : periods_[d])
      if (times > most || (times == most && period < repeats_[d].most_common_period)) most = times, repeats_[d].most_common_period = period;
  }
}

}  // namespace fathom::trace
