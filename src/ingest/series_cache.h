// SPDX-License-Identifier: Apache-2.0
/// The last series asked for, by the text of their names: spares most of a table look-up on the hot path of readers.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "ingest/harvest.h"

namespace fathom {

class SeriesCache {
 public:
  explicit SeriesCache(Harvest& harvest) : harvest_(harvest), slots_(slot_count) {}

  SeriesId series(std::string_view server, std::string_view filesystem) {
    Slot* slot = &slots_[where(server, filesystem)];
    if (!slot->is(server, filesystem)) {
      Slot& other = slots_[static_cast<std::size_t>(slot - slots_.data()) ^ 1];  // the second place of a name
      if (!other.is(server, filesystem)) other = {std::string(server), std::string(filesystem), harvest_.series(server, filesystem), true};
      slot = &other;
    }
    return slot->id;
  }

 private:
  static constexpr std::size_t slot_count = 8192;
  struct Slot {
    std::string server, filesystem;
    SeriesId id = 0;
    bool used = false;
    bool is(std::string_view a, std::string_view b) const { return used && server == a && filesystem == b; }
  };

  /// The last bytes of a name differ most; their mix picks the slot.
  static std::size_t where(std::string_view server, std::string_view filesystem) {
    auto tail = [](std::string_view text) {
      std::uint64_t word = text.size();
      const std::size_t n = text.size() < 8 ? text.size() : 8;
      if (n != 0) std::memcpy(&word, text.data() + text.size() - n, n);
      return word;
    };
    const std::uint64_t h = tail(server) * 0x9e3779b97f4a7c15u + tail(filesystem) * 0xc2b2ae3d27d4eb4fu;
    return (h ^ (h >> 32)) * 0x9e3779b97f4a7c15u >> 51;  // 13 bits
  }

  Harvest& harvest_;
  std::vector<Slot> slots_;
};

}  // namespace fathom
