// SPDX-License-Identifier: Apache-2.0
/// The knowledge base: what the store says of every application, from one mining to the next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mine/finding.h"
#include "store/store.h"

namespace fathom::mine {

struct KnownApplication {
  Finding finding;     // its patterns without sightings
  std::string inputs;  // hash of the runs and bursts that it was found from
};

std::string_view verdict_name(Verdict verdict);

/// In order of user, name and node count.
Result<std::vector<KnownApplication>> read_knowledge(const Snapshot& snapshot, Database& database);
/// In place of all that the store knew.
Result<void> write_knowledge(Transaction& transaction, const std::vector<KnownApplication>& applications);

std::string pack_knowledge(const std::vector<KnownApplication>& applications);
Result<std::vector<KnownApplication>> unpack_knowledge(std::string_view bytes);

}  // namespace fathom::mine
