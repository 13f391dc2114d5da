// SPDX-License-Identifier: Apache-2.0
/// One application looked at closely: its runs, the bursts in them, and which of these make its patterns.
#pragma once

#include "mine/burst_log.h"
#include "mine/finding.h"
#include "store/store.h"

namespace fathom::mine {

struct Dossier {
  Application application;
  std::vector<BurstLog> logs;
  Finding finding;  // with sightings; their bursts are numbers in the log of the same file system and direction

  const BurstLog& log_of(const Pattern& pattern) const;
};

/// From the bursts that the store keeps; fails if it was not mined yet or has no such application.
Result<Dossier> dossier_of(const Snapshot& snapshot, Database& database, const ApplicationName& name, const PatternSettings& settings = {});

/// `USER/NAME/NODES`; USER or NODES may be left out where that is clear (`NAME`, `NAME/NODES`). Names may have slashes of their own.
Result<ApplicationName> find_application(const Snapshot& snapshot, Database& database, const std::string& text);

}  // namespace fathom::mine
