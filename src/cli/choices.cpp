// SPDX-License-Identifier: Apache-2.0
#include "cli/choices.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"

namespace fathom {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) words.emplace_back(take_until(text, '|'));
  return words;
}

}  // namespace

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find('|') != std::string::npos && type.find('[') == std::string::npos) return split(type);
  try {
    // The validator of one_of() is named by its words; others have no name.
    return split(const_cast<CLI::Option&>(option).get_validator(0)->get_name());
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

bool takes_path(const CLI::Option& option) {
  static constexpr std::string_view paths[] = {"FILE", "DIR", "STORE", "TRACE", "SCENARIO", "FOLDER", "RUN"};
  const std::string type = option.get_positional() ? option.get_name(true) : option.get_type_name();
  return std::any_of(std::begin(paths), std::end(paths), [&](std::string_view word) { return type.starts_with(word); });
}

}  // namespace fathom
