// SPDX-License-Identifier: Apache-2.0
#include "synth/blue_gene_racks.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

Racks::Racks(std::uint32_t count, bool last_by_card) {
  for (std::uint32_t rack = 0; rack < count; ++rack) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const bool by_card = last_by_card && rack + 1 == count;
      Midplane midplane{fmt::format("R{}{}-M{}", rack / 8, rack % 8, half), static_cast<std::uint32_t>(servers_.size()),
                        by_card ? cards : 4, by_card};
      for (std::uint32_t i = 0; i < midplane.servers; ++i) {
        servers_.push_back(by_card ? fmt::format("ion-{}-{:02}", midplane.name, i) : fmt::format("ion-{}-{}", midplane.name, i));
        midplane_of_.push_back(static_cast<std::uint32_t>(midplanes_.size()));
      }
      midplanes_.push_back(std::move(midplane));
    }
  }
  taken_.assign(midplanes_.size() * cards, false);
}

bool Racks::is_free(std::uint32_t midplane) const {
  const auto begin = taken_.begin() + midplane * cards;
  return std::find(begin, begin + cards, true) == begin + cards;
}

std::optional<Place> Racks::take_cards(std::uint32_t wanted) {
  for (std::uint32_t m = 0; m < midplanes_.size(); ++m) {
    if (!midplanes_[m].by_card) continue;
    for (std::uint32_t first = 0; first + wanted <= cards; first += wanted) {
      const auto begin = taken_.begin() + m * cards + first;
      if (std::find(begin, begin + wanted, true) != begin + wanted) continue;
      Place place;
      for (std::uint32_t card = first; card < first + wanted; ++card) {
        place.node_list += fmt::format("{}{}-N{:02}", place.node_list.empty() ? "" : ",", midplanes_[m].name, card);
        place.servers.push_back(midplanes_[m].first_server + card);
        place.units.push_back(m * cards + card);
        taken_[m * cards + card] = true;
      }
      return place;
    }
  }
  return std::nullopt;
}

std::optional<Place> Racks::take(std::uint64_t nodes) {
  if (nodes < nodes_per_midplane) return take_cards(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, nodes / nodes_per_card)));
  const std::uint64_t wanted = nodes / nodes_per_midplane;
  const auto count = static_cast<std::uint32_t>(midplanes_.size());
  std::vector<std::uint32_t> found;
  // Half of the card-wise rack is kept for small jobs, the other half others get last.
  for (const bool by_card : {false, true}) {
    for (std::uint32_t i = 0; i < count && found.size() < wanted; ++i) {
      const std::uint32_t m = (next_ + i) % count;
      const bool kept = by_card && m + 1 != count;
      if (midplanes_[m].by_card == by_card && !kept && is_free(m)) found.push_back(m);
    }
  }
  if (found.size() < wanted) return std::nullopt;
  next_ = (found.back() + 1) % count;
  std::sort(found.begin(), found.end());
  Place place;
  for (const std::uint32_t m : found) {
    place.node_list += (place.node_list.empty() ? "" : ",") + midplanes_[m].name;
    for (std::uint32_t i = 0; i < midplanes_[m].servers; ++i) place.servers.push_back(midplanes_[m].first_server + i);
    for (std::uint32_t card = 0; card < cards; ++card) {
      place.units.push_back(m * cards + card);
      taken_[m * cards + card] = true;
    }
  }
  return place;
}

void Racks::free(const Place& place) {
  for (const std::uint32_t unit : place.units) taken_[unit] = false;
}

}  // namespace fathom
