// SPDX-License-Identifier: Apache-2.0
/// What an export consists of, in words: its README.txt, and what is said to who makes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/llview_files.h"
#include "store_export/csv_files.h"
#include "store_export/export_store.h"

namespace fathom {

struct Exported {
  std::vector<ExportedTable> tables;
  std::optional<CsvAccount> csv;  // nothing: the export is a store
  std::optional<LlviewAccount> llview;
  const Pseudonyms* pseudonyms = nullptr;
  bool moved = false;  // times; by how much is not for everybody
};

/// Names neither the store that it comes from nor the salt nor by how much times were moved.
std::string export_readme(const Exported& exported);

/// What was replaced, what was left out and what stays, for the one who gives it away.
std::string export_summary(const Exported& exported);

}  // namespace fathom
