// SPDX-License-Identifier: Apache-2.0
/// The tables of `fathom population`, for people and programs.
#pragma once

#include <span>
#include <string_view>

#include "characterise/study.h"
#include "population/selection.h"
#include "report/table.h"

namespace fathom {

struct PopulationOptions {
  double peak = 0;  // of the machine, bytes per second; 0: not known
  SelectionOptions selection;
};

/// One table, as --table names it.
struct PopulationTable {
  std::string_view name;
  std::string_view what;
  Result<Table> (*make)(const Study& study, const PopulationOptions& options);
};

/// In the order of the help.
std::span<const PopulationTable> population_tables();

/// The one that is written when none is named: every distribution of every value, one row each.
Table distribution_rows(const Study& study);

}  // namespace fathom
