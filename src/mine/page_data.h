// SPDX-License-Identifier: Apache-2.0
/// What the page of one application shows, thinned so that it stays small whatever the number of runs: an ApplicationData of
/// web/src/lib/application_data.ts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "mine/dossier.h"

namespace fathom::mine {

struct PageOptions {
  std::string version;
  std::int64_t generated = 0;  // Unix time in seconds
  PatternSettings settings;    // that the dossier was made with
};

inline constexpr std::size_t most_patterns = 6;    // as many colours and shapes as people can tell apart
inline constexpr std::size_t most_points = 2000;   // of a scatter: so many of patterns, and so many of others
inline constexpr std::size_t most_strips = 60;     // runs that are drawn on their own clocks
inline constexpr std::size_t most_columns = 720;   // of their time
inline constexpr std::size_t most_marks = 15'000;  // on them; with more, columns get wider
inline constexpr std::size_t most_rows = 10'000;   // of the table of runs

nlohmann::ordered_json page_data(const Dossier& dossier, const PageOptions& options);

}  // namespace fathom::mine
