// SPDX-License-Identifier: Apache-2.0
#include "simulate/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "simulate/quantity.h"

namespace fathom::simulate {
namespace {

constexpr std::size_t most_combinations = 10'000;

Error wrong(std::string_view what) { return {ErrorKind::usage, fmt::format("reading parameters: {}", what)}; }

Result<const Parameter*> find_parameter(std::string_view key) {
  std::vector<std::string> keys;
  for (const Component* component : all_components())
    for (const Parameter& parameter : component->parameters) {
      keys.push_back(fmt::format("{}.{}", component->name, parameter.name));
      if (keys.back() == key || parameter.short_name == key || (&parameter == component->in_a_word && component->name == key))
        return &parameter;
      keys.emplace_back(parameter.short_name);
    }
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const std::string_view close = closest_word(key, views);
  return wrong(fmt::format("there is no parameter '{}'; {}", excerpt(key, 40),
                           close.empty() ? fmt::format("known are {}", fmt::join(keys, ", ")) : fmt::format("did you mean '{}'?", close)));
}

std::optional<std::uint64_t> parse_value(std::string_view word, const Parameter& parameter) {
  const Unit unit = parameter.unit;
  if (unit == Unit::choice) {
    const auto found = std::find(parameter.words.begin(), parameter.words.end(), word);
    return found == parameter.words.end() ? std::nullopt : std::optional<std::uint64_t>(found - parameter.words.begin());
  }
  if (const auto number = parse_u64(word)) return number;
  if (unit == Unit::count) return std::nullopt;
  return parse_quantity(word, unit == Unit::bytes ? Dimension::bytes : Dimension::bytes_per_second);
}

Result<std::uint64_t> value_of(std::string_view key, std::string_view word, const Parameter& parameter) {
  const auto value = parse_value(word, parameter);
  if (!value) return wrong(fmt::format("'{}' is no value of {} ({})", excerpt(word, 40), key, parameter.meaning));
  if (*value < parameter.least || *value > parameter.most)
    return wrong(fmt::format("{} must be from {} to {}, not {}", key, parameter.least, parameter.most, *value));
  return *value;
}

}  // namespace

Result<Setting> parse_setting(std::string_view key, std::string_view word) {
  Setting setting;
  TRY(setting.parameter, find_parameter(key));
  TRY(setting.value, value_of(key, trim(word), *setting.parameter));
  return setting;
}

Result<Axis> parse_axis(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign + 1 == text.size())
    return wrong(fmt::format("KEY=V1,V2,... is wanted, like external_link.bandwidth=1Gbit/s,4Gbit/s, not '{}'", excerpt(text, 60)));
  Axis axis;
  axis.key = std::string(trim(text.substr(0, sign)));
  TRY(axis.parameter, find_parameter(axis.key));
  for (std::string_view rest = text.substr(sign + 1); !rest.empty();) {
    const std::string_view word = trim(take_until(rest, ','));
    TRY(const std::uint64_t value, value_of(axis.key, word, *axis.parameter));
    axis.words.emplace_back(word);
    axis.values.push_back(value);
  }
  return axis;
}

Result<std::vector<std::vector<std::size_t>>> combinations(const std::vector<Axis>& axes) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i].parameter == axes[j].parameter) return wrong(fmt::format("{} is given twice", axes[i].key));
    if (all.size() * axes[i].values.size() > most_combinations) return wrong(fmt::format("more than {} combinations", most_combinations));
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& before : all)
      for (std::size_t value = 0; value < axes[i].values.size(); ++value) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

Architecture Sweep::architecture(std::size_t combination) const {
  Architecture changed = base;
  for (std::size_t i = 0; i < axes.size(); ++i) changed.*axes[i].parameter->value = axes[i].values[combinations[combination][i]];
  return changed;
}

Result<Sweep> plan_sweep(const Architecture& base, const std::vector<std::string>& words) {
  Sweep sweep{base, {}, {}};
  for (const std::string& word : words) {
    TRY(Axis axis, parse_axis(word));
    sweep.axes.push_back(std::move(axis));
  }
  TRY(sweep.combinations, combinations(sweep.axes));
  for (std::size_t i = 0; i < sweep.combinations.size(); ++i)
    if (const std::string why = impossible(sweep.architecture(i)); !why.empty()) return wrong(why);
  return sweep;
}

}  // namespace fathom::simulate
