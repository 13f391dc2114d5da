// SPDX-License-Identifier: Apache-2.0
/// A store as files that `fathom ingest` reads again (jobs_csv, counters_csv with --per-interval), and its other tables beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace fathom {

struct CsvAccount {
  std::uint64_t counters = 0;    // rows of counters.csv and counters_shared.csv
  std::uint64_t unmeasured = 0;  // intervals without any amount, which a row of counters cannot say
  std::uint64_t stretched = 0;   // intervals that do not begin where the one before ended; read again they do
  bool exclusive = false;        // there is a counters.csv
  bool shared = false;           // there is a counters_shared.csv: servers that jobs share
  bool jobs = false;
  std::vector<std::string> tables;  // in tables/
};

Result<CsvAccount> write_csv_files(const Snapshot& snapshot, const std::string& folder);

}  // namespace fathom
