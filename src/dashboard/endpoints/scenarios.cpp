// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "dashboard/dashboard.h"
#include "simulate/component.h"
#include "simulate/preset.h"
#include "simulate/quantity.h"
#include "simulate/scenario.h"

namespace fathom::dashboard {
namespace {

using namespace simulate;

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::bytes: return "bytes";
    case Unit::bytes_per_second: return "bytes_per_second";
    case Unit::count: return "count";
    case Unit::choice: return "choice";
  }
  return "text";
}

std::string plain(std::uint64_t value, const simulate::Parameter& parameter) {
  std::string text = quantity_text(value, parameter.unit, parameter.words);
  std::erase(text, '"');
  return text;
}

Json parameters_of(const Scenario& scenario, std::string_view text) {
  const Architecture original = scenario.original.value_or(scenario.architecture);
  Json list = Json::array();
  for (const Component* component : all_components())
    for (const simulate::Parameter& each : component->parameters)
      list.push_back({{"key", fmt::format("{}.{}", component->name, each.name)},
                      {"group", component->name},
                      {"about", component->summary},
                      {"meaning", each.meaning},
                      {"unit", name_of(each.unit)},
                      {"value", plain(scenario.architecture.*each.value, each)},
                      {"original", plain(original.*each.value, each)},
                      {"choices", each.words},
                      {"extra", each.extra},
                      {"sweeps", true}});
  for (const OtherKey& each : other_keys()) {
    const std::string value = value_in_preset(each, text);
    Json choices = Json::array();
    if (each.unit == "choice") choices = {"error", "fill_buffers"};
    list.push_back({{"key", each.key},
                    {"group", each.key.substr(0, each.key.find('.'))},
                    {"about", ""},
                    {"meaning", each.meaning},
                    {"unit", each.unit},
                    {"value", value},
                    {"original", value},
                    {"choices", choices},
                    {"extra", false},
                    {"sweeps", false}});
  }
  return list;
}

Result<Reply> answer(Dashboard&, const Call&) {
  Json list = Json::array();
  for (const Preset* preset : all_presets()) {
    const std::string text = preset->text();
    TRY(const Scenario scenario, Scenario::parse(text, ""));
    list.push_back({{"name", preset->name}, {"title", preset->summary}, {"toml", text}, {"parameters", parameters_of(scenario, text)}});
  }
  return json_reply({{"scenarios", std::move(list)}});
}

Result<std::string> never_changes(Dashboard&, const Call&) { return std::string("1"); }

}  // namespace

namespace endpoints {
extern const Endpoint scenarios;
constinit const Endpoint scenarios{.method = "GET",
                                   .path = "/scenarios",
                                   .summary = "Scenarios to begin with, and every parameter with its meaning",
                                   .answers = "Scenarios",
                                   .parameters = {},
                                   .answer = answer,
                                   .version = never_changes};
}  // namespace endpoints
}  // namespace fathom::dashboard
