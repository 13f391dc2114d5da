// SPDX-License-Identifier: Apache-2.0
#include "simulation_page/sweep_data.h"

#include "population/plot_json.h"

namespace fathom::simulation_page {
namespace {

using Json = nlohmann::ordered_json;
using namespace simulate;

Json ratio_data(const std::optional<RatioStatistics>& all) {
  if (!all) return nullptr;
  return {{"jobs", all->count},
          {"average", json_number(all->average)},
          {"standard_deviation", number_or_null(all->standard_deviation)},
          {"maximum", json_number(all->maximum)},
          {"median", json_number(all->median)},
          {"share_above", json_number(all->share_above)}};
}

}  // namespace

Json sweep_data(const Heading& heading, const Scenario& scenario, const Work& work, const Sweep& sweep,
                const std::vector<SweepPoint>& points) {
  Json page = begin_page(heading, scenario, work);
  Json data{{"combinations", sweep.combinations.size()}};
  data["original_cost"] = number_or_null(cost(scenario.prices, scenario.original.value_or(scenario.architecture), work.nodes.size()));
  data["axes"] = Json::array();
  for (const Axis& axis : sweep.axes) data["axes"].push_back(axis.key);
  data["points"] = Json::array();
  const auto by_run = offers(sweep, points, scenario.prices, &SweepPoint::run_ratio),
             by_io = offers(sweep, points, scenario.prices, &SweepPoint::io_ratio);
  const auto run_front = pareto_front(by_run), io_front = pareto_front(by_io);
  for (std::size_t i = 0; i < points.size(); ++i) {
    Json values = Json::array();
    for (std::size_t k = 0; k < sweep.axes.size(); ++k) values.push_back(sweep.axes[k].words[sweep.combinations[points[i].combination][k]]);
    const Wear wears = wear(scenario.prices, sweep.architecture(points[i].combination), points[i].buffered);
    data["points"].push_back({{"values", values},
                              {"io", ratio_data(points[i].io_ratio)},
                              {"run", ratio_data(points[i].run_ratio)},
                              {"cost", number_or_null(by_run[i].cost)},
                              {"io_front", static_cast<bool>(io_front[i])},
                              {"run_front", static_cast<bool>(run_front[i])},
                              {"bytes_per_day", number_or_null(wears.bytes_per_day)},
                              {"full_writes_per_day", number_or_null(wears.full_writes_per_day)},
                              {"most_full_writes_per_day", number_or_null(wears.most_full_writes_per_day)},
                              {"years", number_or_null(wears.years)}});
  }
  page["sweep"] = std::move(data);
  return page;
}

}  // namespace fathom::simulation_page
