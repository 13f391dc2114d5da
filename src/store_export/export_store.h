// SPDX-License-Identifier: Apache-2.0
/// A store for others: a copy of the tables, with names replaced and times moved if that is wanted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/store.h"
#include "store_export/pseudonyms.h"

namespace fathom {

struct ExportOptions {
  Pseudonyms* pseudonyms = nullptr;  // null: names stay
  int shift_days = 0;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = [](std::uint64_t, std::uint64_t) {};  // in bytes of segments
};

struct ExportedTable {
  const TableSchema* table = nullptr;
  std::uint64_t rows = 0;
  bool left_out = false;  // free text, where names are replaced
};

/// Writes the store of that moment to a folder, which must be empty or missing. With no names to replace and times as they are, segments
/// are copied.
Result<std::vector<ExportedTable>> export_store(const Snapshot& snapshot, const std::string& folder, const ExportOptions& options);

}  // namespace fathom
