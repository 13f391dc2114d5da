// SPDX-License-Identifier: Apache-2.0
/// Where the records of a trace are, and all that is needed to make events of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "trace/block_file.h"
#include "trace/clocks.h"
#include "trace/definitions.h"
#include "trace/mapped_file.h"
#include "trace/trace.h"

namespace fathom::trace {

/// A block with records, and the least start of all blocks of its thread behind it.
struct RecordBlock {
  Block block;
  std::int64_t earliest = 0;
  std::int64_t behind = INT64_MAX;
};

/// One thread's blocks, in order; no slot stands in two of them.
struct ThreadBlocks {
  std::uint32_t process = 0, thread = 0;
  std::int64_t earliest = 0;
  std::vector<RecordBlock> blocks;
};

/// What an object number of a process means in events.
struct ObjectMeaning {
  std::uint32_t object = 0;
  std::uint32_t file = no_file;
  bool handle = false;
};

/// How the records of one process are read.
struct ProcessMeaning {
  ClockLine clock;
  std::uint32_t unit = 0;
  std::vector<ObjectMeaning> objects;  // sorted
  const ProcessMeaning* parent = nullptr;
  std::uint32_t inherited = 0;
  std::uint32_t call_table = 0;
  std::map<std::uint64_t, Block> slices;  // by their numbers

  const ObjectMeaning* find(std::uint32_t object) const {
    const ProcessMeaning* at = this;
    for (int generations = 0; at != nullptr && generations < 4096; ++generations) {
      if (const ObjectMeaning* found = find_object(at->objects, object)) return found;
      if (object >= at->inherited) return nullptr;
      at = at->parent;
    }
    return nullptr;
  }
};

struct Trace::Blocks {
  std::vector<MappedFile> files;
  std::deque<std::string> leftovers;  // blocks made of memory files
  std::vector<ThreadBlocks> threads;
  std::vector<ProcessMeaning> processes;
  std::vector<std::vector<std::uint16_t>> call_tables;  // Record::call -> place in Trace::calls
  std::uint16_t unknown_call = 0;
};

}  // namespace fathom::trace
