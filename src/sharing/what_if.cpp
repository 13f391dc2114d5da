// SPDX-License-Identifier: Apache-2.0
#include "sharing/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/units.h"
#include "sharing/limits.h"

namespace fathom::sharing {
namespace {

/// `whole` as typed, in its parts.
struct Change {
  std::string_view whole, name, key, value;

  Error wrong(std::string_view what) const { return {ErrorKind::usage, fmt::format("reading --what-if {}: {}", excerpt(whole, 80), what)}; }
};

constexpr std::array<std::string_view, 5> keys{"start", "processes", "nodes", "volume", "absent"};

/// The name may hold dots and equal signs; keys and values do not.
Result<Change> take_apart(std::string_view text) {
  Change change{text, {}, {}, {}};
  std::string_view left = text;
  if (!text.ends_with(".absent")) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos) return change.wrong("it should look like NAME.start=+300, NAME.processes=120 or NAME.absent");
    change.value = trim(text.substr(equals + 1));
    left = text.substr(0, equals);
  }
  const std::size_t dot = left.rfind('.');
  if (dot == std::string_view::npos)
    return change.wrong("there is no dot between the application's name and what changes (NAME.start=+300)");
  change.name = left.substr(0, dot);
  change.key = trim(left.substr(dot + 1));
  return change;
}

Result<std::size_t> find_application(const Scenario& scenario, const Change& change) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < scenario.applications.size(); ++i) {
    if (scenario.applications[i].name == change.name) return i;
    names.emplace_back(scenario.applications[i].name);
  }
  const std::string_view close = closest_word(change.name, names);
  return change.wrong(fmt::format("there is no application '{}'{}", excerpt(change.name, 40),
                                  close.empty() ? "" : fmt::format(", did you mean '{}'?", close)));
}

Result<double> parse_number(const Change& change, std::string_view text, const Range& range) {
  const auto number = parse_double(text);
  if (!number) return change.wrong(fmt::format("'{}' is no number", excerpt(text, 40)));
  if (!range.holds(*number)) return change.wrong(fmt::format("{} must be {}", change.key, range.words));
  return *number;
}

Result<void> set_start(Scenario&, Application& application, const Change& change) {
  const bool later = change.value.starts_with('+'), earlier = change.value.starts_with('-');
  const std::string_view digits = change.value.substr(later || earlier ? 1 : 0);
  if (digits.starts_with('-')) return change.wrong("one sign is enough");
  TRY(const double number, parse_number(change, digits, moment));
  const double start = later ? application.start + number : earlier ? application.start - number : number;
  if (!moment.holds(start)) return change.wrong(fmt::format("start must be {}", moment.words));
  application.start = start;
  return {};
}

Result<std::uint64_t> parse_count(const Change& change) {
  const auto number = parse_u64(change.value);
  if (!number || *number < 1 || *number > static_cast<std::uint64_t>(largest_count))
    return change.wrong(fmt::format("{} must be a whole number from 1 to {}", change.key, largest_count));
  return *number;
}

Result<void> set_volume(Scenario& scenario, Application& application, const Change& change) {
  const auto bytes = parse_bytes(change.value);  // 32G as well as 34359738368 and 3.4e10
  TRY(const double volume, bytes&&* bytes > 0 ? Result<double>(static_cast<double>(*bytes)) : parse_number(change, change.value, positive));
  if (scenario.per_application() && !application.volume)
    return change.wrong("the file gives no volume to compare it with: how much longer it would take alone cannot be told");
  // The same bandwidth alone, for another amount.
  if (scenario.per_application() && application.standalone) {
    const double standalone = *application.standalone * (volume / *application.volume);
    if (!positive.holds(standalone)) return change.wrong("the stand-alone time in proportion is out of range");
    application.standalone = standalone;
  }
  application.volume = volume;
  return {};
}

}  // namespace

Result<void> apply_what_if(Scenario& scenario, std::string_view text) {
  TRY(const Change change, take_apart(text));
  TRY(const std::size_t which, find_application(scenario, change));
  Application& application = scenario.applications[which];
  if (change.key == "start") return set_start(scenario, application, change);
  if (change.key == "volume") return set_volume(scenario, application, change);
  if (change.key == "processes") {
    TRY(application.processes, parse_count(change));
    return {};
  }
  if (change.key == "nodes") {
    TRY(application.nodes, parse_count(change));
    return {};
  }
  if (change.key == "absent") {
    if (!change.value.empty() && change.value != "true") return change.wrong("absent takes no value: NAME.absent");
    scenario.applications.erase(scenario.applications.begin() + static_cast<std::ptrdiff_t>(which));
    return {};
  }
  const std::string_view close = closest_word(change.key, keys);
  return change.wrong(fmt::format("what can change is {}, not '{}'{}", fmt::join(keys, ", "), excerpt(change.key, 40),
                                  close.empty() ? "" : fmt::format(": did you mean '{}'?", close)));
}

}  // namespace fathom::sharing
