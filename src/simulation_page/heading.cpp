// SPDX-License-Identifier: Apache-2.0
#include "simulation_page/heading.h"

#include <fmt/format.h>

#include "population/plot_json.h"
#include "simulate/component.h"
#include "simulate/quantity.h"

namespace fathom::simulation_page {
namespace {

using Json = nlohmann::ordered_json;
using namespace simulate;

std::string plain(std::uint64_t value, const Parameter& parameter) {
  std::string text = quantity_text(value, parameter.unit, parameter.words);
  std::erase(text, '"');
  return text;
}

/// Every parameter with its value now and originally.
Json parameters(const Scenario& scenario) {
  Json list = Json::array();
  const Architecture& original = scenario.original.value_or(scenario.architecture);
  for (const Component* component : all_components())
    for (const Parameter& parameter : component->parameters) {
      // What is beyond the dissertation's model stands here only where it is used.
      const std::uint64_t now = scenario.architecture.*parameter.value, before = original.*parameter.value;
      if (parameter.extra && now == Architecture{}.*parameter.value && now == before) continue;
      list.push_back({{"name", fmt::format("{}.{}", component->name, parameter.name)},
                      {"original", plain(before, parameter)},
                      {"changed", plain(now, parameter)},
                      {"differs", now != before}});
    }
  return list;
}

}  // namespace

Json begin_page(const Heading& heading, const Scenario& scenario, const Work& work) {
  Json data{
      {"format", 1}, {"title", heading.title}, {"generated", heading.generated}, {"version", heading.version}, {"notes", heading.notes}};
  data["io_nodes"] = work.nodes.size();
  data["jobs"] = work.jobs.size();
  data["currency"] = scenario.prices.currency;
  data["parameters"] = parameters(scenario);
  data["comparison"] = data["sweep"] = data["verification"] = nullptr;
  return data;
}

Json number_or_null(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }

}  // namespace fathom::simulation_page
