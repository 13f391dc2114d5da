// SPDX-License-Identifier: Apache-2.0
/// Everything a trace directory holds, sorted by process and thread, before any of it is understood.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/block_file.h"
#include "trace/mapped_file.h"
#include "trace/memory_reader.h"
#include "trace/process_details.h"
#include "trace/trace.h"

namespace fathom::trace {

struct GatheredProcess {
  ProcessDetails text;
  std::string_view calls;  // text of its calls block
  bool has_calls = false;
  std::map<std::uint32_t, std::vector<Block>> threads;  // in order of running numbers, none twice
  std::map<std::uint64_t, Block> slices;                // by their numbers
};

struct Gathered {
  std::vector<MappedFile> files;
  std::deque<std::string> leftover_blocks;  // stay where they are
  std::map<std::uint64_t, GatheredProcess> processes;
  std::string_view first_calls;  // of any process, for those without
  std::map<std::uint64_t, std::string_view> calls_by_hash;
  std::vector<Trouble> troubles;
  std::uint8_t other_version = 0;  // that some blocks have
};

Result<Gathered> gather_trace(const std::filesystem::path& directory);

/// The table of calls that the records of a process mean: the one it names, its own, or the first there is.
std::string_view calls_of(const GatheredProcess& process, const Gathered& gathered);

/// The pieces of it, for tests and fuzzing: blocks of a file's bytes (which must stay), a memory file's slots as blocks, and order at the
/// end.
void gather_blocks(std::span<const std::uint8_t> bytes, const std::string& where, Gathered& gathered);
void put_in_order(const std::string& where, Gathered& gathered);
/// Takes what no block has yet; needs `put_in_order` before it and after it.
void gather_leftover(const Leftover& leftover, Gathered& gathered);

}  // namespace fathom::trace
