// SPDX-License-Identifier: Apache-2.0
/// The payload of a records block back into definitions and columns of records. Every length is checked; nothing is trusted but the memory it stands in.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/block_file.h"
#include "trace_format/record.h"

namespace fathom::trace {

/// A block's records by column, in the order in which the calls ended. Times are in the block's units (2^tick_shift ticks).
struct RecordColumns {
  std::size_t count = 0;
  std::vector<std::uint64_t> kinds;      // object, call, depth and detail as the last 8 bytes of a Record hold them
  std::vector<std::uint64_t> kind_of;    // place in `kinds`
  std::vector<std::uint64_t> start, end;
  std::vector<std::uint64_t> offset, bytes, result;  // offset and result are signed, by their bits
};

/// What a kind says.
struct RecordKind {
  std::uint32_t object;
  std::uint16_t call;
  std::uint8_t depth, detail;
};
static_assert(sizeof(RecordKind) == sizeof(std::uint64_t));

class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  BlockDecoder(const BlockDecoder&) = delete;
  BlockDecoder& operator=(const BlockDecoder&) = delete;

  /// Both give false when the payload is not what its header says.
  bool definitions(const Block& block, std::vector<Record>& slots);
  bool records(const Block& block, RecordColumns& columns);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Calls use(definition, text) for each definition in the slots of a block; false when a text does not fit.
template <class Use>
bool for_each_definition(const std::vector<Record>& slots, Use&& use);

/// A block's records one by one, as they were; for tests.
std::vector<Record> as_records(const RecordColumns& columns, std::uint32_t tick_shift);

}  // namespace fathom::trace

#include <cstring>
#include <string_view>

template <class Use>
bool fathom::trace::for_each_definition(const std::vector<Record>& slots, Use&& use) {
  for (std::size_t i = 0; i < slots.size();) {
    Definition definition;
    std::memcpy(&definition, &slots[i], sizeof definition);
    const std::size_t text_slots = definition.text_slots;
    if (definition.call != slot_define || i + 1 + text_slots > slots.size() || definition.text_bytes > text_slots * sizeof(Record)) return false;
    use(definition, std::string_view(reinterpret_cast<const char*>(slots.data() + i + 1), definition.text_bytes));
    i += 1 + text_slots;
  }
  return true;
}
