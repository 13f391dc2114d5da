// SPDX-License-Identifier: Apache-2.0
/// The payload of a records block back into definitions and records. Every length is checked; nothing is trusted but the memory it stands
/// in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace/block_file.h"
#include "trace/block_records.h"
#include "trace_format/record.h"

namespace fathom::trace {

class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  BlockDecoder(const BlockDecoder&) = delete;
  BlockDecoder& operator=(const BlockDecoder&) = delete;

  /// Both give false when the payload is not what its header says; there are no records then. Of a damaged block all records may be there
  /// that stand in front of the damage: BlockRecords::next tells. They are read from the payload, which has to stay.
  bool definitions(const Block& block, std::vector<Record>& slots);
  bool records(const Block& block, BlockRecords& records);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Calls use(definition, text) for each definition in the slots of a block; false when a text does not fit.
template <class Use>
bool for_each_definition(const std::vector<Record>& slots, Use&& use);

}  // namespace fathom::trace

#include <cstring>
#include <string_view>

template <class Use>
bool fathom::trace::for_each_definition(const std::vector<Record>& slots, Use&& use) {
  for (std::size_t i = 0; i < slots.size();) {
    Definition definition;
    std::memcpy(&definition, &slots[i], sizeof definition);
    const std::size_t text_slots = definition.text_slots;
    if (definition.call != slot_define || i + 1 + text_slots > slots.size() || definition.text_bytes > text_slots * sizeof(Record))
      return false;
    use(definition, std::string_view(reinterpret_cast<const char*>(slots.data() + i + 1), definition.text_bytes));
    i += 1 + text_slots;
  }
  return true;
}
