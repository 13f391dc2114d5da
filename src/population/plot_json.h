// SPDX-License-Identifier: Apache-2.0
/// Axes and pairs of axes as the page draws them: Axis, Pair and Single of web/src/lib/data.ts.
#pragma once

#include <nlohmann/json.hpp>

#include "population/distribution.h"
#include "population/job_values.h"
#include "population/selection.h"

namespace fathom {

/// Finite numbers only: null for all else. Whole numbers without a point.
nlohmann::ordered_json json_number(double value);
/// With as many digits as a plot needs.
nlohmann::ordered_json json_rounded(double value);

/// How fine a plot is.
struct PlotDetail {
  std::size_t bins = 50;     // of a linear histogram
  std::size_t points = 100;  // of a cumulative curve
  std::size_t columns = 32;  // of hexagons
};

/// How a value is distributed; what is not finite is left out. `unit` is a Unit of data.ts.
nlohmann::ordered_json axis_json(std::string_view label, std::string_view unit, Scale scale, std::vector<double> values,
                                 const PlotDetail& detail);

nlohmann::ordered_json axis_json(std::string_view label, std::string_view unit, Scale scale, const SortedValues& sorted,
                                 const PlotDetail& detail);

/// The values of some jobs, one after the other, and sorted.
struct PlotValues {
  std::vector<double> values;
  SortedValues sorted;
};
/// x against y of the same jobs; `threshold` where values depend on one, in bytes per second. Nobody is marked.
nlohmann::ordered_json pair_json(const AskedValue& x, const PlotValues& xs, const AskedValue& y, const PlotValues& ys,
                                 std::uint64_t threshold, const PlotDetail& detail);

/// x against y of the same jobs; `selected` are marked.
nlohmann::ordered_json pair_json(const Study& study, const AskedValue& x, const AskedValue& y, const SelectedJobs& selected,
                                 const PlotDetail& detail);
nlohmann::ordered_json single_json(const Study& study, const AskedValue& asked, const PlotDetail& detail);

}  // namespace fathom
