// SPDX-License-Identifier: Apache-2.0
// The one list of machines with a built-in rule.
#include "ingest/server_rule.h"

namespace fathom {

extern const ServerRule jugene_rule;

std::span<const ServerRule* const> all_server_rules() {
  static constexpr const ServerRule* server_rules[] = {&jugene_rule};
  return server_rules;
}

const ServerRule* server_rule_named(std::string_view name) {
  for (const ServerRule* rule : all_server_rules())
    if (rule->name == name) return rule;
  return nullptr;
}

}  // namespace fathom
