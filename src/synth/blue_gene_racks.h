// SPDX-License-Identifier: Apache-2.0
/// The racks, midplanes and I/O nodes of a Blue Gene, their names, and which of them are free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom {

inline constexpr std::uint64_t nodes_per_midplane = 512;
inline constexpr std::uint64_t nodes_per_card = 32;

struct Midplane {
  std::string name;  // R00-M0
  std::uint32_t first_server = 0;
  std::uint32_t servers = 4;
  bool by_card = false;  // 16 I/O nodes, one for each node card: a job may take single cards
};

/// What a job got.
struct Place {
  std::string node_list;               // R00-M0,R00-M1 or R87-M0-N05
  std::vector<std::uint32_t> servers;  // increasing
  std::vector<std::uint32_t> units;    // what to free again
};

class Racks {
 public:
  /// `count` racks named by row and column (eight columns to a row); the last may have an I/O node for each node card.
  Racks(std::uint32_t count, bool last_by_card);

  const std::vector<std::string>& servers() const { return servers_; }
  std::uint32_t midplane_of(std::uint32_t server) const { return midplane_of_[server]; }
  /// Whole midplanes, or node cards for fewer than 512 nodes; nothing where there is no room.
  std::optional<Place> take(std::uint64_t nodes);
  void free(const Place& place);

 private:
  static constexpr std::uint32_t cards = 16;
  bool is_free(std::uint32_t midplane) const;
  std::optional<Place> take_cards(std::uint32_t wanted);

  std::vector<Midplane> midplanes_;
  std::vector<std::string> servers_;
  std::vector<std::uint32_t> midplane_of_;
  std::vector<bool> taken_;  // by midplane * 16 + card
  std::uint32_t next_ = 0;   // where the search starts, so that all racks get used
};

}  // namespace fathom
