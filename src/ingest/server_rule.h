// SPDX-License-Identifier: Apache-2.0
/// A machine whose locations tell their storage servers by name. Each has a file of its own in server_rules/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct ServerRule {
  std::string_view name;     // the word for --map and for `rule =` in its file
  std::string_view summary;  // one line
  std::string_view details;  // for the documentation
  /// Adds the servers of one item of a node list to `servers`; false when the machine has no such place.
  bool (*servers_of)(std::string_view location, std::vector<std::string>& servers);
};

std::span<const ServerRule* const> all_server_rules();
const ServerRule* server_rule_named(std::string_view name);

}  // namespace fathom
