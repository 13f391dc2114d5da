// SPDX-License-Identifier: Apache-2.0
#include "simulate/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/text.h"
#include "base/toml.h"
#include "simulate/preset.h"
#include "simulate/scenario.h"
#include "simulate/sweep.h"

namespace fathom::simulate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_io_nodes_asked = 20'000;
constexpr double latest = 1e11;  // Unix time: beyond any log

constexpr OtherKey keys[] = {
    {"io_nodes.count", "count", "how many I/O nodes there are; with a store at least as many as it has servers"},
    {"io_nodes.compute_nodes", "count", "compute nodes behind each of them"},
    {"generator.missing_operations", "choice",
     "where a store has bytes and no operations: error, or fill_buffers for as many requests as fill CIOD buffers"},
    {"cost.currency", "text", "a word for people"},
    {"cost.external_bandwidth", "number", "price of 1 Gbit/s of external bandwidth, for one I/O node"},
    {"cost.burst_buffer", "number", "price of 1 GiB of burst buffer"},
    {"cost.endurance_bytes", "bytes", "that can be written into the burst buffer of one I/O node until it is worn out"},
    {"cost.drive_writes_per_day", "number", "the same as data sheets say it: so many times full a day,"},
    {"cost.warranty_years", "number", "for so long"},
};

Error wrong(std::string_view what) { return {ErrorKind::usage, fmt::format("reading the request: {}", what)}; }

Result<std::string> text_of(const Json& value, std::string_view what, std::size_t longest, bool may_be_empty = false) {
  if (!value.is_string()) return wrong(fmt::format("{} must be a text", what));
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty() && !may_be_empty) return wrong(fmt::format("{} is empty", what));
  if (text.size() > longest) return wrong(fmt::format("{} has {} bytes; {} is the limit", what, text.size(), longest));
  if (as_utf8(text) != text) return wrong(fmt::format("{} has control characters", what));
  return text;
}

Result<std::optional<double>> time_of(const Json& value, std::string_view what) {
  if (value.is_null()) return std::optional<double>{};
  const double seconds = value.is_number() ? value.get<double>() : -1;
  if (!(seconds >= 0 && seconds < latest)) return wrong(fmt::format("{} must be Unix time in seconds, or null", what));
  return std::optional(seconds);
}

Result<std::map<std::string, std::string>> changes_of(const Json& value) {
  if (!value.is_object()) return wrong("changes must be an object of texts");
  if (value.size() > 64) return wrong(fmt::format("there are {} changes; 64 is the limit", value.size()));
  std::map<std::string, std::string> changes;
  for (const auto& [key, text] : value.items()) {
    TRY(changes[key], text_of(text, fmt::format("the change of '{}'", excerpt(key, 40)), 64));
  }
  return changes;
}

Result<WhatIf::Axis> axis_of(const Json& value) {
  if (!value.is_object() || value.size() != 2 || !value.contains("key") || !value.contains("values"))
    return wrong("each axis of the sweep must be an object with key and values");
  WhatIf::Axis axis;
  TRY(axis.key, text_of(value["key"], "the key of an axis", 64));
  const Json& list = value["values"];
  if (!list.is_array() || list.empty() || list.size() > 1000)
    return wrong(fmt::format("the values of {} must be a list of 1 to 1,000 texts", excerpt(axis.key, 40)));
  for (const Json& each : list) {
    TRY(std::string word, text_of(each, fmt::format("a value of {}", excerpt(axis.key, 40)), 64));
    if (word.find(',') != std::string::npos || trim(word).empty())
      return wrong(fmt::format("'{}' is no single value of {}", excerpt(word, 40), excerpt(axis.key, 40)));
    axis.values.emplace_back(trim(word));
  }
  if (axis.key.find('=') != std::string::npos) return wrong(fmt::format("there is no parameter '{}'", excerpt(axis.key, 40)));
  return axis;
}

Result<std::vector<WhatIf::Axis>> sweep_of(const Json& value) {
  if (!value.is_array() || value.size() > 8) return wrong("sweep must be a list of at most 8 axes");
  std::vector<WhatIf::Axis> axes;
  for (const Json& each : value) {
    TRY(WhatIf::Axis axis, axis_of(each));
    axes.push_back(std::move(axis));
  }
  return axes;
}

Result<void> read_field(const std::string& name, const Json& value, WhatIf& asked) {
  if (name == "title") {
    TRY(asked.title, text_of(value, "title", 200, true));
  } else if (name == "scenario") {
    TRY(asked.preset, text_of(value, "scenario", 64));
  } else if (name == "changes") {
    TRY(asked.changes, changes_of(value));
  } else if (name == "sweep") {
    TRY(asked.sweep, sweep_of(value));
  } else if (name == "store") {
    if (value.is_null()) return {};
    TRY(asked.store, text_of(value, "store", 256));
  } else if (name == "from") {
    TRY(asked.from, time_of(value, "from"));
  } else if (name == "to") {
    TRY(asked.to, time_of(value, "to"));
  } else {
    return wrong(fmt::format("there is no field '{}'; known are title, scenario, changes, sweep, store, from, to", excerpt(name, 40)));
  }
  return {};
}

// --- the scenario -------------------------------------------------------------------------------------------------------

Result<std::uint64_t> whole(std::string_view key, std::string_view text, std::uint64_t most) {
  const auto value = parse_u64(trim(text));
  if (!value || *value < 1 || *value > most)
    return wrong(fmt::format("{} must be a whole number from 1 to {}, not '{}'", key, most, excerpt(text, 40)));
  return *value;
}

/// A number stays one; all else is a text, about which the scenario's own reader complains where it has to.
void put(toml::table& table, std::string_view key, std::string_view text) {
  text = trim(text);
  if (const auto count = parse_u64(text); count && *count <= INT64_MAX)
    table.insert_or_assign(key, static_cast<std::int64_t>(*count));
  else if (const auto number = parse_double(text); number && std::isfinite(*number))
    table.insert_or_assign(key, *number);
  else
    table.insert_or_assign(key, std::string(text));
}

toml::table& table_in(toml::table& root, std::string_view name) {
  if (root.get(name) == nullptr) root.insert_or_assign(name, toml::table{});
  return *root.get(name)->as_table();
}

/// All I/O nodes alike from now on.
Result<void> change_io_nodes(Scenario& scenario, std::string_view key, std::string_view text) {
  std::uint64_t all = 0;
  for (const IoNodeGroup& group : scenario.io_nodes) all += group.count;
  IoNodeGroup one{static_cast<std::uint32_t>(std::max<std::uint64_t>(all, 1)),
                  scenario.io_nodes.empty() ? usual_compute_nodes : scenario.io_nodes.front().compute_nodes};
  const bool count = key == "io_nodes.count";
  TRY(const std::uint64_t value, whole(key, text, count ? most_io_nodes_asked : most_compute_nodes));
  (count ? one.count : one.compute_nodes) = static_cast<std::uint32_t>(value);
  scenario.io_nodes = {one};
  return {};
}

Result<void> change(Scenario& scenario, toml::table& rest, const std::string& key, const std::string& text) {
  if (key.starts_with("io_nodes.") && std::any_of(std::begin(keys), std::end(keys), [&](const OtherKey& each) { return each.key == key; }))
    return change_io_nodes(scenario, key, text);
  if (const std::size_t point = key.find('.'); key.starts_with("cost.") || key.starts_with("generator.")) {
    if (std::none_of(std::begin(keys), std::end(keys), [&](const OtherKey& each) { return each.key == key; }))
      return wrong(fmt::format("there is no parameter '{}'", excerpt(key, 40)));
    put(table_in(rest, key.substr(0, point)), key.substr(point + 1), text);
    return {};
  }
  TRY(const Setting setting, parse_setting(key, text));
  scenario.architecture.*setting.parameter->value = setting.value;
  return {};
}

/// What is no architecture: prices, the generator, made-up work.
toml::table rest_of(std::string_view preset_text) {
  toml::table rest;
  toml::parse_result parsed = toml::parse(preset_text, std::string_view("preset"));
  if (!parsed) return rest;  // a preset is well formed: tests see to it
  for (const std::string_view name : {"generator", "cost", "increment", "job"})
    if (const toml::node* node = parsed.table().get(name)) node->visit([&](const auto& each) { rest.insert_or_assign(name, each); });
  return rest;
}

std::string written(const toml::table& table) {
  std::ostringstream out;
  out << toml::toml_formatter(table);
  return out.str();
}

}  // namespace

Result<WhatIf> parse_what_if(std::string_view json) {
  const Json body = Json::parse(json, nullptr, false);
  if (body.is_discarded()) return wrong("it is no JSON");
  if (!body.is_object()) return wrong("it must be an object with scenario, changes, sweep, store");
  WhatIf asked;
  for (const auto& [name, value] : body.items()) TRY_VOID(read_field(name, value, asked));
  if (asked.preset.empty()) return wrong("scenario is missing: the name of one of /scenarios");
  if (!asked.store && (asked.from || asked.to)) return wrong("from and to go with a store");
  if (asked.from && asked.to && *asked.from >= *asked.to) return wrong("from must be before to");
  return asked;
}

Json as_json(const WhatIf& asked) {
  Json sweep = Json::array(), changes = Json::object();
  for (const WhatIf::Axis& axis : asked.sweep) sweep.push_back({{"key", axis.key}, {"values", axis.values}});
  for (const auto& [key, value] : asked.changes) changes[key] = value;
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"title", asked.title},          {"scenario", asked.preset},    {"changes", std::move(changes)}, {"sweep", std::move(sweep)},
          {"store", or_null(asked.store)}, {"from", or_null(asked.from)}, {"to", or_null(asked.to)}};
}

std::span<const OtherKey> other_keys() { return keys; }

std::string value_in_preset(const OtherKey& key, std::string_view preset_text) {
  const auto scenario = Scenario::parse(preset_text, "");
  if (!scenario) return {};
  std::uint64_t all = 0;
  for (const IoNodeGroup& group : scenario->io_nodes) all += group.count;
  if (key.key == "io_nodes.count") return all > 0 ? std::to_string(all) : "";
  if (key.key == "io_nodes.compute_nodes")
    return scenario->io_nodes.empty() ? "" : std::to_string(scenario->io_nodes.front().compute_nodes);
  if (key.key == "generator.missing_operations") return scenario->missing_operations_fill_buffers ? "fill_buffers" : "error";
  return {};
}

Result<std::string> scenario_text(const WhatIf& asked) {
  const Preset* const preset = find_preset(asked.preset);
  if (preset == nullptr) {
    std::vector<std::string_view> names;
    for (const Preset* each : all_presets()) names.push_back(each->name);
    return wrong(fmt::format("there is no scenario '{}'; known are {}", excerpt(asked.preset, 40), fmt::join(names, ", ")));
  }
  const std::string begin = preset->text();
  TRY(Scenario scenario, Scenario::parse(begin, ""));
  toml::table rest = rest_of(begin);
  for (const auto& [key, value] : asked.changes) TRY_VOID(change(scenario, rest, key, value));
  const toml::parse_result parsed = toml::parse(begin, std::string_view("preset"));
  const std::string original = parsed ? parsed.table()["original"].value_or(std::string(preset->name)) : std::string(preset->name);
  std::string text = fmt::format("original = \"{}\"\n", original);
  for (const IoNodeGroup& group : scenario.io_nodes)
    text += fmt::format("\n[[io_nodes]]\ncount = {}\ncompute_nodes = {}\n", group.count, group.compute_nodes);
  text += component_tables(scenario.architecture, false);
  text += "\n" + written(rest) + "\n";
  const auto checked = Scenario::parse(text, "");
  if (!checked)
    return wrong(checked.error().message.starts_with("reading the scenario: ") ? checked.error().message.substr(22)
                                                                               : checked.error().message);
  return text;
}

std::vector<std::string> sweep_words(const WhatIf& asked) {
  std::vector<std::string> words;
  for (const WhatIf::Axis& axis : asked.sweep) words.push_back(fmt::format("{}={}", axis.key, fmt::join(axis.values, ",")));
  return words;
}

}  // namespace fathom::simulate
