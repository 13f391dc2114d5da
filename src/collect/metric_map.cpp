// SPDX-License-Identifier: Apache-2.0
#include "collect/metric_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"
#include "collect/live_file.h"

namespace fathom {
namespace {

class MapFile {
 public:
  explicit MapFile(const std::string& path) : path_(path) {}

  Error wrong(std::string_view what, const toml::source_region& where) const {
    return Error{ErrorKind::malformed, fmt::format("reading the map of metrics: {} ({}:{})", what, path_, where.begin.line)};
  }

  Result<std::vector<MetricRule>> read(const toml::table& root) const {
    std::vector<MetricRule> rules;
    for (const auto& [key, value] : root)
      if (key != "counter")
        return wrong(fmt::format("'{}' is not known here; each entry is a [[counter]]", excerpt(key.str())), value.source());
    const toml::node* const counters = root.get("counter");
    const toml::array* const entries = counters != nullptr ? counters->as_array() : nullptr;
    if (entries == nullptr || entries->empty()) return wrong("there is no [[counter]]", root.source());
    for (const toml::node& entry : *entries) {
      if (!entry.is_table()) return wrong("each entry is a [[counter]]", entry.source());
      TRY(MetricRule rule, read_rule(*entry.as_table()));
      rules.push_back(std::move(rule));
    }
    return rules;
  }

 private:
  Result<MetricRule> read_rule(const toml::table& entry) const {
    MetricRule rule;
    std::string counter;
    const std::pair<std::string_view, std::string*> texts[] = {
        {"counter", &counter},    {"metric", &rule.metric},         {"query", &rule.query},
        {"server", &rule.server}, {"filesystem", &rule.filesystem}, {"job", &rule.job}};
    for (const auto& [key, value] : entry) {
      const auto* const text =
          std::find_if(std::begin(texts), std::end(texts), [&, name = key.str()](const auto& each) { return each.first == name; });
      if (text != std::end(texts)) {
        const auto given = value.value<std::string>();
        if (!given) return wrong(fmt::format("{} must be a text", key.str()), value.source());
        *text->second = *given;
      } else if (key == "scale") {
        const auto given = value.value<double>();
        if (!given || !(*given > 0) || !std::isfinite(*given)) return wrong("scale must be a number above 0", value.source());
        rule.scale = *given;
      } else if (key == "match") {
        TRY_VOID(read_match(value, rule));
      } else {
        return wrong(fmt::format("'{}' is not known here; there are counter, metric, query, match, server, filesystem, job, scale",
                                 excerpt(key.str())),
                     value.source());
      }
    }
    const auto* const known = std::find(counter_names.begin(), counter_names.end(), counter);
    if (known == counter_names.end())
      return wrong(fmt::format("counter '{}' is none; there are {}", excerpt(counter), fmt::join(counter_names, ", ")), entry.source());
    rule.counter = static_cast<Counter>(known - counter_names.begin());
    if (rule.metric.empty() && rule.query.empty()) return wrong("a [[counter]] needs a metric or a query", entry.source());
    if (rule.server.empty()) return wrong("a [[counter]] needs a server", entry.source());
    return rule;
  }

  Result<void> read_match(const toml::node& value, MetricRule& rule) const {
    const toml::table* const table = value.as_table();
    if (table == nullptr) return wrong("match must be a table: { device = \"sd*\" }", value.source());
    for (const auto& [label, pattern] : *table) {
      const auto given = pattern.value<std::string>();
      if (!given) return wrong("a pattern must be a text", pattern.source());
      rule.match.emplace_back(std::string(label.str()), *given);
    }
    return {};
  }

  const std::string& path_;
};

/// `{instance}:{device}` with the labels' values.
std::optional<std::string> filled(std::string_view pattern, const Metric& metric, std::string_view instance) {
  std::string text;
  while (!pattern.empty()) {
    const auto open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = pattern.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view key = pattern.substr(open + 1, close - open - 1);
    const std::string* value = metric.label(key);
    // A page that is read directly does not name its own address.
    if (value == nullptr && (key != "instance" || instance.empty())) return std::nullopt;
    text += value != nullptr ? std::string_view(*value) : instance;
    pattern.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

Result<MetricMap> MetricMap::parse(std::string_view text, const std::string& path) {
  const MapFile file(path);
  const toml::parse_result parsed = toml::parse(text, std::string_view(path));
  if (!parsed) return file.wrong(parsed.error().description(), parsed.error().source());
  MetricMap map;
  TRY(map.rules_, file.read(parsed.table()));
  return map;
}

Result<MetricMap> MetricMap::load(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return Error{text.error().kind, fmt::format("reading the map of metrics: {} ({})", text.error().message, path)};
  return parse(*text, path);
}

std::optional<SeriesName> MetricMap::series(const MetricRule& rule, const Metric& metric, std::string_view instance) {
  if (!rule.metric.empty() && !metric.name.empty() && metric.name != rule.metric) return std::nullopt;
  for (const auto& [label, pattern] : rule.match) {
    const std::string* value = metric.label(label);
    if (value == nullptr || !fits_pattern(*value, pattern)) return std::nullopt;
  }
  auto server = filled(rule.server, metric, instance), filesystem = filled(rule.filesystem, metric, instance),
       job = filled(rule.job, metric, instance);
  if (!server || server->empty() || !filesystem || !job) return std::nullopt;
  return SeriesName{as_utf8(*server), as_utf8(*filesystem), as_utf8(*job)};
}

}  // namespace fathom
