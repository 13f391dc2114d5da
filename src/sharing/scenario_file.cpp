// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"
#include "sharing/limits.h"
#include "sharing/scenario.h"

namespace fathom::sharing {
namespace {

/// The TOML form, checked key by key:
///   bandwidth = 100e6                    # bytes per second, or [[1, 88e6], [60, 58e6]]: writers, bytes per second
///   share     = "process"
///   [[application]]
///   name      = "big"
///   processes = 60
///   volume    = 16_777_216_000
class ScenarioFile {
 public:
  explicit ScenarioFile(Scenario& scenario) : scenario_(scenario) {}

  Result<void> read(const toml::table& root) {
    TRY_VOID(check_keys(root, std::vector<std::string_view>{"bandwidth", "per_application", "share", "application"}));
    TRY_VOID(read_share(root));
    TRY_VOID(read_bandwidth(root));
    const toml::node* const list = root.get("application");
    if (list == nullptr) return scenario_.wrong("it has no [[application]]", 1);
    if (!list->is_array_of_tables()) return wrong("application must be written [[application]]", *list);
    for (const toml::node& application : *list->as_array()) TRY_VOID(read_application(*application.as_table()));
    return {};
  }

 private:
  static unsigned line_of(const toml::source_region& where) { return std::max(1u, static_cast<unsigned>(where.begin.line)); }
  Error wrong(std::string_view what, const toml::node& where) const { return scenario_.wrong(what, line_of(where.source())); }

  Result<void> check_keys(const toml::table& table, const std::vector<std::string_view>& known) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string_view close = closest_word(key.str(), known);
      const std::string advice =
          close.empty() ? fmt::format("known are {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", close);
      return scenario_.wrong(fmt::format("unknown key '{}', {}", excerpt(key.str(), 40), advice), line_of(key.source()));
    }
    return {};
  }

  Result<void> read_share(const toml::table& root) {
    const toml::node* const given = root.get("share");
    if (given == nullptr) return {};
    const std::string_view word = given->value_exact<std::string_view>().value_or("?");
    if (word != "process" && word != "node")
      return wrong(fmt::format("share is \"process\" or \"node\", not '{}'", excerpt(word, 40)), *given);
    scenario_.share = word == "node" ? Share::node : Share::process;
    return {};
  }

  Result<void> read_bandwidth(const toml::table& root) {
    const toml::node* const own = root.get("per_application");
    const toml::node* const shared = root.get("bandwidth");
    const std::optional<bool> per_application = own == nullptr ? false : own->value_exact<bool>();
    if (!per_application) return wrong("per_application is true or false", *own);
    if (*per_application && shared != nullptr) return wrong("bandwidth and per_application = true exclude each other", *shared);
    if (shared == nullptr) {
      if (*per_application) return {};
      return scenario_.wrong(
          "it has neither bandwidth (bytes per second) nor per_application = true (with standalone = seconds for each application)", 1);
    }
    if (const toml::array* points = shared->as_array()) return read_capacity(*points);
    TRY(const double rate, number(*shared, "bandwidth", positive));
    scenario_.bandwidth = Capacity(rate);
    return {};
  }

  Result<void> read_capacity(const toml::array& list) {
    std::vector<Capacity::Point> points;
    for (const toml::node& each : list) {
      const toml::array* const pair = each.as_array();
      if (pair == nullptr || pair->size() != 2)
        return wrong("bandwidth is a number, or a list of [writers, bytes per second] like [[1, 88e6], [60, 58e6]]", each);
      TRY(const std::uint64_t writers, count((*pair)[0], "the number of writers"));
      TRY(const double rate, number((*pair)[1], "the bandwidth", positive));
      if (!points.empty() && points.back().writers >= writers) return wrong("the numbers of writers of bandwidth must rise", each);
      points.push_back({writers, rate});
    }
    if (points.empty()) return wrong("the list of bandwidth is empty", list);
    scenario_.bandwidth = Capacity(std::move(points));
    return {};
  }

  Result<void> read_application(const toml::table& table) {
    TRY_VOID(check_keys(table, std::vector<std::string_view>{"name", "processes", "nodes", "volume", "start", "standalone", "observed"}));
    Application application;
    application.line = line_of(table.source());
    TRY_VOID(read_name(table, application));
    const toml::node* const processes = table.get("processes");
    if (processes == nullptr)
      return scenario_.wrong(fmt::format("application '{}' has no processes", excerpt(application.name, 40)), application.line);
    TRY(application.processes, count(*processes, "processes"));
    if (const toml::node* nodes = table.get("nodes")) {
      TRY(application.nodes, count(*nodes, "nodes"));
    }
    if (const toml::node* start = table.get("start")) {
      TRY(application.start, number(*start, "start", moment));
    }
    for (const auto& [key, value] :
         {std::pair{"volume", &application.volume}, {"standalone", &application.standalone}, {"observed", &application.observed}})
      if (const toml::node* given = table.get(key)) {
        TRY(*value, number(*given, key, positive));
      }
    scenario_.applications.push_back(std::move(application));
    return {};
  }

  Result<void> read_name(const toml::table& table, Application& application) {
    const toml::node* const given = table.get("name");
    if (given == nullptr) return scenario_.wrong("an [[application]] without a name", application.line);
    const auto name = given->value_exact<std::string_view>();
    if (!name || trim(*name).empty()) return wrong("name must be a text that is not empty", *given);
    application.name = as_utf8(*name);
    const auto [other, fresh] = lines_.emplace(application.name, application.line);
    if (!fresh)
      return wrong(fmt::format("the name '{}' is that of the application in line {} already", excerpt(application.name, 40), other->second),
                   *given);
    return {};
  }

  /// A whole number or a real one; nothing else is taken for one.
  Result<double> number(const toml::node& given, std::string_view what, const Range& range) const {
    if (!given.is_number()) return wrong(fmt::format("{} must be a number", what), given);
    const double value = given.value<double>().value_or(std::nan(""));
    if (range.holds(value)) return value;
    return wrong(fmt::format("{} must be {}, not {}", what, range.words, value), given);
  }

  Result<std::uint64_t> count(const toml::node& given, std::string_view what) const {
    const auto value = given.value_exact<std::int64_t>();
    if (!value) return wrong(fmt::format("{} must be a whole number", what), given);
    if (*value >= 1 && *value <= largest_count) return static_cast<std::uint64_t>(*value);
    return wrong(fmt::format("{} must be from 1 to {}, not {}", what, largest_count, *value), given);
  }

  Scenario& scenario_;
  std::unordered_map<std::string, unsigned> lines_;
};

}  // namespace

Result<Scenario> Scenario::parse(std::string_view text, const std::string& path) {
  Scenario scenario;
  scenario.path = path;
  const toml::parse_result parsed = toml::parse(text, std::string_view(path));
  if (!parsed) return scenario.wrong(parsed.error().description(), std::max(1u, static_cast<unsigned>(parsed.error().source().begin.line)));
  TRY_VOID(ScenarioFile(scenario).read(parsed.table()));
  return scenario;
}

Result<Scenario> Scenario::load(const std::string& path) {
  const auto text = read_whole_file(path);
  if (text) return parse(*text, path);
  Scenario nothing;
  nothing.path = path;
  return Error{text.error().kind, nothing.wrong(text.error().message).message};
}

}  // namespace fathom::sharing
