// SPDX-License-Identifier: Apache-2.0
/// What the page of `fathom slices` shows, binned so that the page stays small whatever the run: a SlicesData of
/// web/src/lib/slices_data.ts.
#pragma once

#include <nlohmann/json.hpp>

#include "compete/comparison.h"
#include "slices/heat_map.h"

namespace fathom::compete {

struct PageOptions {
  std::string title, version;
  std::int64_t generated = 0;  // Unix time in seconds
  Direction direction = Direction::write;
  bool trim = false;  // time from the first to the end of the last I/O phase only
  std::vector<std::string> notes;
};

/// `comparison` is of the same applications; nothing for a single one.
nlohmann::ordered_json page_data(std::span<const Application> applications, const Comparison* comparison, const PageOptions& options);

/// From the first slice of any to the last of all; with `trim` of their I/O phases, where there are some.
slices::SliceRange window_of(std::span<const Application> applications, bool trim);

/// "rank 3 on node07", "ranks 0 to 9 on 2 nodes", "process 4711 on node07", "10 processes on node07".
std::string row_name(std::span<const slices::Process* const> processes, const slices::MapRow& row);

}  // namespace fathom::compete
