// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"
#include "base/wide.h"
#include "simulate/component.h"
#include "simulate/preset.h"
#include "simulate/quantity.h"
#include "simulate/scenario.h"

namespace fathom::simulate {
namespace {

using Names = std::vector<std::string_view>;

unsigned line_of(const toml::source_region& where) { return std::max(1u, static_cast<unsigned>(where.begin.line)); }

/// The TOML form, checked key by key:
///   original = "jugene"
///   [external_link]
///   bandwidth = "1 Gbit/s"
///   [[increment]]
///   write_bytes = "2 GiB"
class ScenarioFile {
 public:
  /// The original of an original is not looked for.
  ScenarioFile(Scenario& scenario, bool with_original) : scenario_(scenario), with_original_(with_original) {}

  Result<void> read(const toml::table& root) {
    Names known{"original", "io_nodes", "generator", "increment", "job", "cost"};
    for (const Component* component : all_components()) known.push_back(component->name);
    TRY_VOID(check_keys(root, known));
    for (const Component* component : all_components()) TRY_VOID(read_component(root, *component));
    if (const std::string why = impossible(scenario_.architecture); !why.empty()) {
      // [burst_buffer] has to do with most of it; [targets] with the rest.
      const toml::node* const where = root.get("burst_buffer") != nullptr ? root.get("burst_buffer") : root.get("targets");
      return wrong(why, where != nullptr ? *where : root);
    }
    TRY_VOID(read_generator(root));
    TRY_VOID(read_cost(root));
    TRY_VOID(for_each(root, "io_nodes", &ScenarioFile::read_io_nodes));
    nodes_ = std::max<std::size_t>(1, scenario_.compute_nodes().size());
    TRY_VOID(for_each(root, "increment", &ScenarioFile::read_increment));
    TRY_VOID(for_each(root, "job", &ScenarioFile::read_job));
    return with_original_ ? read_original(root) : Result<void>{};
  }

 private:
  Error wrong(std::string_view what, const toml::node& where) const { return scenario_.wrong(what, line_of(where.source())); }

  Result<void> check_keys(const toml::table& table, const Names& known) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string_view close = closest_word(key.str(), known);
      const std::string advice = !close.empty()  ? fmt::format("did you mean '{}'?", close)
                                 : known.empty() ? "there are no keys here"
                                                 : fmt::format("known are {}", fmt::join(known, ", "));
      return scenario_.wrong(fmt::format("unknown key '{}', {}", excerpt(key.str(), 40), advice), line_of(key.source()));
    }
    return {};
  }

  /// The table of that name, null when there is none.
  Result<const toml::table*> table_of(const toml::table& root, std::string_view name) const {
    const toml::node* const given = root.get(name);
    if (given == nullptr) return nullptr;
    if (!given->is_table()) return wrong(fmt::format("{0} must be a table, written [{0}]", name), *given);
    return given->as_table();
  }

  Result<void> for_each(const toml::table& root, std::string_view name, Result<void> (ScenarioFile::*read_one)(const toml::table&)) {
    const toml::node* const list = root.get(name);
    if (list == nullptr) return {};
    if (!list->is_array_of_tables()) return wrong(fmt::format("{0} must be written [[{0}]]", name), *list);
    for (const toml::node& each : *list->as_array()) TRY_VOID((this->*read_one)(*each.as_table()));
    return {};
  }

  Result<void> read_component(const toml::table& root, const Component& component) {
    if (const toml::node* const word = root.get(component.name); component.in_a_word != nullptr && word != nullptr && word->is_string()) {
      TRY(scenario_.architecture.*component.in_a_word->value, value_of(*word, *component.in_a_word, std::string(component.name)));
      return {};
    }
    TRY(const toml::table* const table, table_of(root, component.name));
    if (table == nullptr) return {};
    Names known;
    for (const Parameter& parameter : component.parameters) known.push_back(parameter.name);
    TRY_VOID(check_keys(*table, known));
    for (const Parameter& parameter : component.parameters) {
      const toml::node* const given = table->get(parameter.name);
      if (given == nullptr) continue;
      const std::string what = fmt::format("{} of [{}]", parameter.name, component.name);
      TRY(scenario_.architecture.*parameter.value, value_of(*given, parameter, what));
    }
    return {};
  }

  Result<std::uint64_t> value_of(const toml::node& given, const Parameter& parameter, const std::string& what) const {
    if (parameter.unit == Unit::choice) {
      TRY(const std::size_t choice, choice_of(given, parameter.words, what));
      return std::uint64_t{choice};
    }
    if (parameter.unit == Unit::count) return whole(given, what, parameter.least, parameter.most);
    return quantity(given, parameter.unit == Unit::bytes ? Dimension::bytes : Dimension::bytes_per_second, what, parameter.least,
                    parameter.most);
  }

  Result<std::size_t> choice_of(const toml::node& given, std::span<const std::string_view> words, std::string_view what) const {
    const auto word = given.value_exact<std::string_view>();
    const auto found = std::find(words.begin(), words.end(), word.value_or(""));
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    return wrong(fmt::format("{} must be \"{}\"", what, fmt::join(words, "\" or \"")), given);
  }

  Result<std::uint64_t> whole(const toml::node& given, std::string_view what, std::uint64_t least, std::uint64_t most) const {
    const auto value = given.value_exact<std::int64_t>();
    if (!value) return wrong(fmt::format("{} must be a whole number", what), given);
    if (*value >= 0 && static_cast<std::uint64_t>(*value) >= least && static_cast<std::uint64_t>(*value) <= most)
      return static_cast<std::uint64_t>(*value);
    return wrong(fmt::format("{} must be from {} to {}, not {}", what, least, most, *value), given);
  }

  Result<std::uint64_t> quantity(const toml::node& given, Dimension dimension, std::string_view what, std::uint64_t least,
                                 std::uint64_t most) const {
    if (given.value_exact<std::int64_t>()) return whole(given, what, least, most);
    const auto text = given.value_exact<std::string_view>();
    const auto value = text ? parse_quantity(*text, dimension) : std::nullopt;
    if (!value)
      return wrong(fmt::format("{} must be {}{}", what, example_of(dimension), text ? fmt::format(", not '{}'", excerpt(*text, 40)) : ""),
                   given);
    if (*value < least || *value > most) return wrong(fmt::format("{} must be from {} to {}, not {}", what, least, most, *value), given);
    return *value;
  }

  Result<Picoseconds> time(const toml::table& table, std::string_view key, Picoseconds otherwise) const {
    const toml::node* const given = table.get(key);
    if (given == nullptr) return otherwise;
    std::optional<std::uint64_t> value;
    const double seconds = given->is_number() ? given->value<double>().value_or(-1) : -1;
    if (const auto whole_seconds = given->value_exact<std::int64_t>()) {
      if (*whole_seconds >= 0 && *whole_seconds <= time_limit / picoseconds_per_second)
        value = static_cast<std::uint64_t>(*whole_seconds * picoseconds_per_second);
    } else if (seconds >= 0 && seconds <= in_seconds(time_limit) - 1) {
      value = static_cast<std::uint64_t>(std::llround(seconds * 1e12));
    } else if (const auto text = given->value_exact<std::string_view>()) {
      value = parse_quantity(*text, Dimension::time);
    }
    if (value && *value <= static_cast<std::uint64_t>(time_limit)) return static_cast<Picoseconds>(*value);
    return wrong(fmt::format("{} must be {}, from 0 to 53 days", key, example_of(Dimension::time)), *given);
  }

  Result<void> read_generator(const toml::table& root) {
    TRY(const toml::table* const table, table_of(root, "generator"));
    if (table == nullptr) return {};
    TRY_VOID(check_keys(*table, {"missing_operations"}));
    constexpr std::string_view words[] = {"error", "fill_buffers"};
    if (const toml::node* given = table->get("missing_operations")) {
      TRY(const std::size_t choice, choice_of(*given, words, "missing_operations"));
      scenario_.missing_operations_fill_buffers = choice == 1;
    }
    return {};
  }

  /// Prices are not whole in any unit that all currencies share: plain numbers, 0 or more.
  Result<void> read_cost(const toml::table& root) {
    TRY(const toml::table* const table, table_of(root, "cost"));
    if (table == nullptr) return {};
    Prices& prices = scenario_.prices;
    TRY_VOID(check_keys(*table,
                        {"currency", "external_bandwidth", "burst_buffer", "endurance_bytes", "drive_writes_per_day", "warranty_years"}));
    for (const auto& [key, number] : {std::pair{"external_bandwidth", &prices.external_bandwidth},
                                      {"burst_buffer", &prices.burst_buffer},
                                      {"drive_writes_per_day", &prices.drive_writes_per_day},
                                      {"warranty_years", &prices.warranty_years}}) {
      const toml::node* const given = table->get(key);
      if (given == nullptr) continue;
      *number = given->is_number() ? given->value<double>().value_or(-1) : -1;
      if (!(**number >= 0 && **number < 1e15)) return wrong(fmt::format("{} of [cost] must be a number that is 0 or more", key), *given);
    }
    if (const toml::node* given = table->get("endurance_bytes")) {
      TRY(const std::uint64_t bytes, quantity(*given, Dimension::bytes, "endurance_bytes of [cost]", 1, INT64_MAX));
      prices.endurance_bytes = static_cast<double>(bytes);
    }
    if (const toml::node* given = table->get("currency")) {
      prices.currency = as_utf8(given->value_exact<std::string_view>().value_or(""));
      if (prices.currency.empty()) return wrong("currency of [cost] must be a text like \"EUR\"", *given);
    }
    const bool data_sheet = prices.drive_writes_per_day.has_value();
    if (data_sheet != prices.warranty_years.has_value())
      return wrong("[cost] needs both drive_writes_per_day and warranty_years, or none", *table);
    if (data_sheet && prices.endurance_bytes)
      return wrong("[cost] says twice how much can be written: endurance_bytes, and drive_writes_per_day", *table);
    return {};
  }

  Result<void> read_io_nodes(const toml::table& table) {
    TRY_VOID(check_keys(table, {"count", "compute_nodes"}));
    IoNodeGroup group;
    std::uint64_t all = 0;
    for (const IoNodeGroup& each : scenario_.io_nodes) all += each.count;
    if (const toml::node* given = table.get("count")) {
      TRY(const std::uint64_t value, whole(*given, "count", 1, most_io_nodes));
      group.count = static_cast<std::uint32_t>(value);
    }
    if (const toml::node* given = table.get("compute_nodes")) {
      TRY(const std::uint64_t value, whole(*given, "compute_nodes", 1, most_compute_nodes));
      group.compute_nodes = static_cast<std::uint32_t>(value);
    }
    if (all + group.count > most_io_nodes) return wrong(fmt::format("there may be no more than {} I/O nodes", most_io_nodes), table);
    scenario_.io_nodes.push_back(group);
    return {};
  }

  /// A single number, or the first and the last.
  Result<std::pair<std::uint32_t, std::uint32_t>> nodes(const toml::table& table) const {
    const auto last = static_cast<std::uint32_t>(nodes_ - 1);
    const toml::node* const given = table.get("nodes");
    if (given == nullptr) return std::pair{0u, last};
    const toml::array* const pair = given->as_array();
    if (pair != nullptr && pair->size() != 2) return wrong("nodes must be a number, or the first and the last like [0, 7]", *given);
    TRY(const std::uint64_t from, whole(pair == nullptr ? *given : (*pair)[0], "nodes", 0, last));
    TRY(const std::uint64_t to, whole(pair == nullptr ? *given : (*pair)[1], "nodes", from, last));
    return std::pair{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
  }

  Result<void> read_increment(const toml::table& table) {
    TRY_VOID(check_keys(table, {"nodes", "start", "length", "repeat", "read_bytes", "read_operations", "write_bytes", "write_operations"}));
    TRY(const auto range, nodes(table));
    WorkIncrement each;
    TRY(each.start, time(table, "start", 0));
    TRY(const Picoseconds length, time(table, "length", 120 * picoseconds_per_second));
    std::uint64_t repeat = 1;
    if (const toml::node* given = table.get("repeat")) {
      TRY(repeat, whole(*given, "repeat", 1, most_increments));
    }
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const std::string bytes = fmt::format("{}_bytes", kind_names[kind]), operations = fmt::format("{}_operations", kind_names[kind]);
      if (const toml::node* given = table.get(bytes)) {
        TRY(each.amounts.bytes[kind], quantity(*given, Dimension::bytes, bytes, 0, INT64_MAX));
      }
      if (const toml::node* given = table.get(operations)) {
        TRY(each.amounts.operations[kind], whole(*given, operations, 0, INT64_MAX));
      }
    }
    if (RequestSequence(each.amounts, scenario_.architecture.ciod_buffer).size() > most_requests)
      return wrong(fmt::format("this increment has more than {} requests", most_requests), table);
    const std::uint64_t on_nodes = range.second - range.first + std::uint64_t{1};
    if (scenario_.increments.size() + repeat * on_nodes > most_increments)
      return wrong(fmt::format("there may be no more than {} increments on all I/O nodes", most_increments), table);
    if (static_cast<Uint128>(length) * repeat + static_cast<Uint128>(each.start) > static_cast<Uint128>(time_limit))
      return wrong("the last interval ends more than 53 days after the start", table);
    for (std::uint64_t i = 0; i < repeat; ++i, each.start += length) {
      each.end = each.start + length;
      for (each.node = range.first; each.node <= range.second; ++each.node) scenario_.increments.push_back(each);
    }
    return {};
  }

  Result<void> read_job(const toml::table& table) {
    TRY_VOID(check_keys(table, {"id", "nodes", "start", "end"}));
    WorkJob job;
    const toml::node* const id = table.get("id");
    job.id = id == nullptr ? "" : as_utf8(id->value_exact<std::string_view>().value_or(""));
    if (job.id.empty())
      return wrong("a [[job]] needs an id, a text that is not empty", id == nullptr ? static_cast<const toml::node&>(table) : *id);
    if (!job_ids_.insert(job.id).second) return wrong(fmt::format("there are two jobs '{}'", excerpt(job.id, 40)), *id);
    if (table.get("end") == nullptr) return wrong(fmt::format("job '{}' has no end", excerpt(job.id, 40)), table);
    TRY(job.start, time(table, "start", 0));
    TRY(job.end, time(table, "end", 0));
    if (job.end < job.start) return wrong(fmt::format("job '{}' ends before it starts", excerpt(job.id, 40)), *table.get("end"));
    TRY(const auto range, nodes(table));
    for (std::uint32_t node = range.first; node <= range.second; ++node) job.nodes.push_back(node);
    scenario_.jobs.push_back(std::move(job));
    return {};
  }

  Result<void> read_original(const toml::table& root) {
    const toml::node* const given = root.get("original");
    if (given == nullptr) return {};
    const auto name = given->value_exact<std::string_view>();
    if (!name || name->empty()) return wrong("original must be the name of a preset or the path of a scenario", *given);
    Scenario other;
    other.path = std::string(*name);
    std::string text;
    if (const Preset* preset = find_preset(*name)) {
      text = preset->text();
    } else {
      other.path = (std::filesystem::path(scenario_.path).parent_path() / std::string(*name)).string();
      auto whole_text = read_whole_file(other.path);
      if (!whole_text)
        return wrong(fmt::format("original is neither a preset nor a file: '{}': {}", excerpt(*name, 80), whole_text.error().message),
                     *given);
      text = *std::move(whole_text);
    }
    const toml::parse_result parsed = toml::parse(text, std::string_view(other.path));
    if (!parsed) return other.wrong(parsed.error().description(), line_of(parsed.error().source()));
    TRY_VOID(ScenarioFile(other, false).read(parsed.table()));
    scenario_.original = other.architecture;
    return {};
  }

  Scenario& scenario_;
  const bool with_original_;
  std::size_t nodes_ = 1;
  std::unordered_set<std::string> job_ids_;
};

}  // namespace

Result<Scenario> Scenario::parse(std::string_view text, const std::string& path) {
  Scenario scenario;
  scenario.path = path;
  const toml::parse_result parsed = toml::parse(text, std::string_view(path));
  if (!parsed) return scenario.wrong(parsed.error().description(), line_of(parsed.error().source()));
  TRY_VOID(ScenarioFile(scenario, true).read(parsed.table()));
  return scenario;
}

}  // namespace fathom::simulate
