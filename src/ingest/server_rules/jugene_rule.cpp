// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "ingest/server_rule.h"

namespace fathom {
namespace {

constexpr int rows = 9, racks_in_row = 8, midplanes = 2, node_cards = 16;
constexpr int rich_rack = rows * racks_in_row - 1;  // R87: an I/O node for each node card of 32 compute nodes
constexpr int cards_per_server = 4;                 // elsewhere: four I/O nodes for the 512 compute nodes of a midplane

/// Cuts `prefix` and `digits` digits off the text and returns their value.
std::optional<int> take_number(std::string_view& text, std::string_view prefix, std::size_t digits) {
  if (!text.starts_with(prefix) || text.size() < prefix.size() + digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(prefix.size(), digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(prefix.size() + digits);
  return value;
}

/// `R13`: row 1, column 3; racks count on through the rows.
std::optional<int> take_rack(std::string_view& text, std::string_view prefix) {
  const auto number = take_number(text, prefix, 2);
  if (!number || *number / 10 >= rows || *number % 10 >= racks_in_row) return std::nullopt;
  return *number / 10 * racks_in_row + *number % 10;
}

/// The I/O nodes of the node cards [first, last] of a midplane.
void add_servers(int rack, int midplane, int first, int last, std::vector<std::string>& servers) {
  const int row = rack / racks_in_row, column = rack % racks_in_row;
  if (rack == rich_rack) {
    for (int card = first; card <= last; ++card) servers.push_back(fmt::format("ion-R{}{}-M{}-{:02}", row, column, midplane, card));
  } else {
    for (int server = first / cards_per_server; server <= last / cards_per_server; ++server)
      servers.push_back(fmt::format("ion-R{}{}-M{}-{}", row, column, midplane, server));
  }
}

/// `R00`, `R00-R03`, `R00-M0`, `R00-M0-N05`, `R00-M0-N05-J12`
bool servers_of(std::string_view text, std::vector<std::string>& servers) {
  const auto rack = take_rack(text, "R");
  if (!rack) return false;
  if (text.empty() || text.starts_with("-R")) {
    const auto last = text.empty() ? rack : take_rack(text, "-R");
    if (!last || !text.empty() || *last < *rack) return false;
    for (int each = *rack; each <= *last; ++each)
      for (int midplane = 0; midplane < midplanes; ++midplane) add_servers(each, midplane, 0, node_cards - 1, servers);
    return true;
  }
  const auto midplane = take_number(text, "-M", 1);
  if (!midplane || *midplane >= midplanes) return false;
  if (text.empty()) {
    add_servers(*rack, *midplane, 0, node_cards - 1, servers);
    return true;
  }
  const auto card = take_number(text, "-N", 2);
  if (!card || *card >= node_cards) return false;
  if (!text.empty() && (!take_number(text, "-J", 2) || !text.empty())) return false;
  add_servers(*rack, *midplane, *card, *card, servers);
  return true;
}

}  // namespace

extern const ServerRule jugene_rule;
constinit const ServerRule jugene_rule{
    .name = "jugene",
    .summary = "Blue Gene/P with 72 racks and 600 I/O nodes, as JUGENE was",
    .details =
        "72 racks in nine rows of eight, R00 to R87 (row, then column, each from 0), each with two midplanes (M0, M1) of 16 node "
        "cards (N00 to N15) of 32 compute nodes. A midplane has four I/O nodes, `ion-R00-M0-0` to `ion-R00-M0-3`, each for four node "
        "cards; the last rack, R87, has one for every node card, `ion-R87-M0-00` to `ion-R87-M1-15`: 71 x 8 + 32 = 600. "
        "A job's node list names racks (`R00`), ranges of racks in that order (`R06-R11` is R06, R07, R10, R11), midplanes (`R00-M0`), "
        "node cards (`R00-M0-N05`) or compute cards (`R00-M0-N05-J12`), separated by commas; brackets may be used as in any node list "
        "(`R[00-07]-M[0-1]`).",
    .servers_of = servers_of};

}  // namespace fathom
