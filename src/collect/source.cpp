// SPDX-License-Identifier: Apache-2.0
#include "collect/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace fathom {
namespace {

Error wrong(std::string_view word, std::string_view what) {
  return Error{ErrorKind::usage, fmt::format("reading source '{}': {}", excerpt(word), what)};
}

/// Cuts the text before the next bare comma off, without its backslashes.
std::string take_setting(std::string_view& rest) {
  std::string setting;
  while (!rest.empty()) {
    char c = rest.front();
    rest.remove_prefix(1);
    if (c == ',') break;
    if (c == '\\' && !rest.empty()) {
      c = rest.front();
      rest.remove_prefix(1);
    }
    setting += c;
  }
  return setting;
}

const SourceKind* kind_named(std::string_view name) {
  const auto kinds = all_source_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const SourceKind* kind) { return kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

}  // namespace

std::string SourceSettings::get(std::string_view key, std::string_view otherwise) const {
  const auto found = given.find(key);
  return found == given.end() ? std::string(otherwise) : found->second;
}

Result<ChosenSource> choose_source(std::string_view word) {
  ChosenSource chosen;
  chosen.settings.word = word;
  std::string_view rest = word;
  const std::string_view name = take_until(rest, ':');
  chosen.kind = kind_named(name);
  if (chosen.kind == nullptr) {
    std::string names;
    for (const SourceKind* kind : all_source_kinds()) names += fmt::format(" {}", kind->name);
    return wrong(word, fmt::format("there is no source '{}'; there are:{}", excerpt(name), names));
  }
  while (!rest.empty()) {
    const std::string setting = take_setting(rest);
    const auto equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    const auto& known = chosen.kind->settings;
    if (std::none_of(known.begin(), known.end(), [&](const SourceSetting& each) { return each.name == key; })) {
      std::string names;
      for (const SourceSetting& each : known) names += fmt::format(" {}", each.name);
      return wrong(word, fmt::format("'{}' is no setting of {}; there are:{}", excerpt(key), name, names));
    }
    if (equals == std::string::npos) return wrong(word, fmt::format("{} needs a value: {}=...", key, key));
    if (!chosen.settings.given.emplace(key, setting.substr(equals + 1)).second) return wrong(word, fmt::format("{} is given twice", key));
  }
  return chosen;
}

Time wall_clock() { return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()); }

}  // namespace fathom
