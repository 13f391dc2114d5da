// SPDX-License-Identifier: Apache-2.0
/// Memory files that nobody drained: what a killed process, or one that still runs, had not yet written to its trace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
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
  std::vector<std::string> slice_blocks;  // whole blocks of time slices; the trace may have one of the same number already
};

/// Of bytes that `read_memory_file` gives nothing for: what is wrong with them.
std::string why_not_read(std::span<const std::uint8_t> bytes);
/// Nothing if the bytes are no memory file of this version. What was drained already is left out.
std::optional<Leftover> read_memory_file(std::span<const std::uint8_t> bytes);

/// Where this user's memory files of a trace are on this machine, however its name is spelt.
std::filesystem::path memory_folder_of(const std::filesystem::path& trace);

}  // namespace fathom::trace
