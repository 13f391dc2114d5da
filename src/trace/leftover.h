// SPDX-License-Identifier: Apache-2.0
/// Memory files that nobody drained: what a killed process, or one that still runs, had not yet written to its trace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/process_details.h"
#include "trace_format/record.h"

namespace fathom::trace {

/// Slots of one thread, from running number `first` on; none is cut, ones never written are slot_empty.
struct LeftoverSlots {
  std::uint32_t thread = 0;
  std::uint64_t first = 0;
  std::vector<Record> slots;
};

struct Leftover {
  ProcessDetails process;
  std::vector<LeftoverSlots> chunks;
};

/// Nothing if the bytes are no memory file of this version.
std::optional<Leftover> read_memory_file(std::span<const std::uint8_t> bytes);

}  // namespace fathom::trace
