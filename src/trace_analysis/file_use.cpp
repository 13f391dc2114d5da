// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/file_use.h"

#include <algorithm>

namespace fathom::trace {

void FileUseAnalysis::settle(OfFile& file, std::int64_t before) {
  while (!file.slots.empty() && file.slots.begin()->first < before) {
    const std::uint32_t units = file.slots.begin()->second;
    file.use.most_at_once = std::max(file.use.most_at_once, units);
    file.use.unit_slots += units;
    ++file.use.busy_slots;
    file.slots.erase(file.slots.begin());
  }
}

void FileUseAnalysis::move(const Seen& seen, OfFile& file) {
  const Event& event = seen.event;
  file.use.bytes += seen.bytes_moved();
  const std::int64_t first = event.start / slot_, last = event.end > event.start ? (event.end - 1) / slot_ : first;
  const auto [known, is_new] = last_slot_.try_emplace(static_cast<std::uint64_t>(event.file) << 32 | event.unit, first - 1);
  file.use.units += is_new;
  settle(file, first);
  for (std::int64_t slot = std::max(first, known->second + 1); slot <= last; ++slot) ++file.slots[slot];
  known->second = std::max(known->second, last);
}

void FileUseAnalysis::take(const Seen& seen) {
  if (!seen.counts || seen.event.failed()) return;
  const Event& event = seen.event;
  const Operation operation = seen.call.operation;
  InterfaceUse& interface = interfaces_[static_cast<std::size_t>(seen.call.interface)];
  ++interface.calls;
  interface.reads += operation == Operation::read;
  interface.writes += operation == Operation::write;
  interface.bytes += seen.bytes_moved();
  const bool opens = operation == Operation::open, closes = operation == Operation::close, resizes = operation == Operation::resize;
  if (!seen.moves() && !opens && !closes && !resizes) return;
  OfFile& file = files_[event.file];
  if (opens && (event.detail & open_creates) != 0) file.use.created = true;
  const bool placed = event.offset != no_offset && event.offset >= 0;
  if (placed && seen.is(Interface::posix) && resizes) file.use.size = std::max(file.use.size, event.offset);
  if (placed && seen.is(Interface::posix) && seen.moves() && seen.bytes_moved() > 0)
    file.use.size = std::max(file.use.size, event.offset + static_cast<std::int64_t>(seen.bytes_moved()));
  if (!seen.is(layer_) || !seen.told()) return;
  const bool whole = layer_ != Interface::hdf5 || seen.call.name.starts_with("H5F");
  file.use.opens += opens && whole;
  file.use.closes += closes && whole;
  if (seen.moves()) move(seen, file);
}

void FileUseAnalysis::finish() {
  for (auto& [number, file] : files_) {
    settle(file, INT64_MAX);
    file.use.file = number;
    file.use.size = std::max(file.use.size, trace_.files[number].size_at_open);
    result_.push_back(file.use);
  }
  std::sort(result_.begin(), result_.end(), [](const FileUse& a, const FileUse& b) { return a.file < b.file; });
}

}  // namespace fathom::trace
