// SPDX-License-Identifier: Apache-2.0
#include "collect/metric.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace fathom {
namespace {

constexpr std::size_t most_labels = 128;
constexpr std::size_t longest_labels = 16384;  // bytes of a series' names and values; whoever takes it copies some for each value

bool is_name_letter(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (!first && c >= '0' && c <= '9');
}

std::string_view take_name(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_name_letter(rest[end], end == 0)) ++end;
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(end);
  return name;
}

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

/// `"a \"b\""`, cut off `rest`.
std::optional<std::string> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) {
      ++i;
      text += rest[i] == 'n' ? '\n' : rest[i];
    } else {
      text += rest[i];
    }
  }
  return std::nullopt;
}

bool take_labels(std::string_view& rest, Metric& metric) {
  rest.remove_prefix(1);  // {
  for (;;) {
    skip_blanks(rest);
    if (rest.starts_with('}')) {
      rest.remove_prefix(1);
      return true;
    }
    const std::string_view name = take_name(rest);
    skip_blanks(rest);
    if (name.empty() || !rest.starts_with('=') || metric.labels.size() >= most_labels) return false;
    rest.remove_prefix(1);
    skip_blanks(rest);
    auto value = take_quoted(rest);
    if (!value) return false;
    metric.labels.emplace_back(name, std::move(*value));
    skip_blanks(rest);
    if (rest.starts_with(','))
      rest.remove_prefix(1);
    else if (!rest.starts_with('}'))
      return false;
  }
}

/// Prometheus has milliseconds; the double that carries them has more digits than that.
std::optional<Time> time_of(double seconds) {
  if (!(seconds >= 0 && seconds < 253402300800.0)) return std::nullopt;
  return time_from_micros(std::llround(seconds * 1e3) * 1000);
}

using Json = nlohmann::json;

/// [1435781430.781, "17"]
bool take_value(const Json& pair, Metric& metric) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_string()) return false;
  const auto t = time_of(pair[0].get<double>());
  if (!t) return false;
  metric.t = *t;
  metric.value = pair[1].get<std::string>();
  return true;
}

/// {"__name__": "up", "instance": "oss1:9100"}
bool take_labels(const Json& labels, Metric& metric) {
  if (!labels.is_object() || labels.size() > most_labels) return false;
  std::size_t bytes = 0;
  for (const auto& [key, value] : labels.items()) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    bytes += key.size() + text.size();
    if (bytes > longest_labels) return false;
    if (key == "__name__")
      metric.name = text;
    else
      metric.labels.emplace_back(key, text);
  }
  return true;
}

bool take_series(const Json& series, const std::function<void(const Metric&)>& take) {
  Metric metric;  // one for all values: labels are not copied for each
  if (!series.is_object() || !series.contains("metric") || !take_labels(series["metric"], metric)) return false;
  const auto take_one = [&](const Json& pair) {
    if (!take_value(pair, metric)) return false;
    take(metric);
    return true;
  };
  // Never copied: an answer may be nested deeper than a copy has stack for.
  if (const auto value = series.find("value"); !series.contains("values")) return value != series.end() && take_one(*value);
  const Json& values = series.at("values");
  return values.is_array() && std::all_of(values.begin(), values.end(), take_one);
}

}  // namespace

const std::string* Metric::label(std::string_view key) const {
  for (const auto& [name_of, value_of] : labels)
    if (name_of == key) return &value_of;
  return nullptr;
}

std::optional<Metric> parse_metric_line(std::string_view line) {
  Metric metric;
  std::string_view rest = trim(line);
  metric.name = take_name(rest);
  if (metric.name.empty()) return std::nullopt;
  skip_blanks(rest);
  if (rest.starts_with('{') && !take_labels(rest, metric)) return std::nullopt;
  metric.value = take_word(rest);
  const std::string_view stamp = take_word(rest);
  if (metric.value.empty() || !parse_double(metric.value) || !trim(rest).empty()) return std::nullopt;
  if (!stamp.empty()) {
    const auto milliseconds = parse_u64(stamp);
    if (!milliseconds || *milliseconds >= 253402300800000u) return std::nullopt;
    metric.t = time_from_micros(static_cast<std::int64_t>(*milliseconds) * 1000);
  }
  return metric;
}

void parse_metrics_page(std::string_view page, const std::function<void(Metric&&)>& take,
                        const std::function<void(std::uint64_t, std::string_view)>& bad) {
  for (std::uint64_t number = 1; !page.empty(); ++number) {
    const std::string_view line = take_until(page, '\n');
    if (trim(line).empty() || trim(line).starts_with('#')) continue;
    auto metric = parse_metric_line(line);
    metric ? take(std::move(*metric)) : bad(number, line);
  }
}

Result<void> parse_metrics_json(std::string_view json, const std::function<void(const Metric&)>& take) {
  const auto wrong = [](std::string_view what) { return Error{ErrorKind::malformed, std::string(what)}; };
  const Json answer = Json::parse(json, nullptr, false);
  if (answer.is_discarded() || !answer.is_object()) return wrong("the answer is not JSON of a query");
  if (const auto status = answer.find("status"); status == answer.end() || *status != "success") {
    const auto reason = answer.find("error");
    return wrong(fmt::format("the query failed: {}",
                             reason != answer.end() && reason->is_string() ? excerpt(reason->get<std::string>()) : "no reason is given"));
  }
  const auto data = answer.find("data");
  if (data == answer.end() || !data->is_object() || !data->contains("result") || !(*data)["result"].is_array())
    return wrong("the answer has no result");
  for (const Json& series : (*data)["result"])
    if (!take_series(series, take)) return wrong("a series of the answer is not what was expected");
  return {};
}

std::optional<std::uint64_t> counter_value(std::string_view text, double scale) {
  constexpr double most = 9.2e18;  // the store's numbers have 63 bits
  if (const auto whole = parse_u64(text); whole && scale == 1) return *whole < static_cast<std::uint64_t>(most) ? whole : std::nullopt;
  const auto number = parse_double(text);
  if (!number || !(*number >= 0)) return std::nullopt;
  const double scaled = *number * scale;
  if (!(scaled < most)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(scaled));
}

}  // namespace fathom
