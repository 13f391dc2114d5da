// SPDX-License-Identifier: Apache-2.0
/// Blocks of a trace file from text, records and slices: what the tracer writes, for those who make traces without running anything.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace_format/columns.h"
#include "trace_format/slice.h"

namespace fathom::trace {

class BlockWriter {
 public:
  BlockWriter();

  std::string records(std::uint64_t process, std::uint32_t thread, std::uint64_t first, const Record* slots, std::size_t count,
                      std::uint32_t tick_shift = 0);
  std::string text(BlockKind kind, std::uint64_t process, const std::string& text);
  /// `number`: of the block in its process, from 0. Times of `rows` are nanoseconds.
  std::string slices(std::uint64_t process, std::uint64_t number, std::int64_t length, const std::vector<SliceRow>& rows);

 private:
  std::string bytes(std::size_t size) const { return {reinterpret_cast<const char*>(out_.data()), size}; }

  std::unique_ptr<Encoder> encoder_;
  std::vector<std::uint8_t> out_;
};

/// How many of `slots`, from `begin` on, fit into `most` without cutting a definition in two.
std::size_t whole_slots(const std::vector<Record>& slots, std::size_t begin, std::size_t most);

/// Adds a definition with its text to the slots of a thread.
void add_definition(std::vector<Record>& slots, Definition definition, std::string_view text);

}  // namespace fathom::trace
