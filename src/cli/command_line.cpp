// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "base/text.h"

namespace fathom {

CommandOption CommandOption::description(const std::string& text) const { return CommandOption(option_->description(text)); }
CommandOption CommandOption::type_name(const std::string& name) const { return CommandOption(option_->type_name(name)); }
CommandOption CommandOption::required() const { return CommandOption(option_->required()); }
CommandOption CommandOption::values(int count) const { return CommandOption(option_->expected(count)); }
CommandOption CommandOption::repeated() const {
  return CommandOption(option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}
CommandOption CommandOption::value_may_lack() const { return CommandOption(option_->default_str("")->expected(0, 1)); }
CommandOption CommandOption::delimiter(char between) const { return CommandOption(option_->delimiter(between)); }
CommandOption CommandOption::one_value_at_a_time() const { return CommandOption(option_->allow_extra_args(false)); }
CommandOption CommandOption::excludes(CommandOption other) const { return CommandOption(option_->excludes(other.option_)); }
CommandOption CommandOption::excludes(const std::string& other) const { return CommandOption(option_->excludes(other)); }
CommandOption CommandOption::needs(CommandOption other) const { return CommandOption(option_->needs(other.option_)); }

// Its name holds the words, for shells that complete them (choices_of).
CommandOption CommandOption::one_of(const std::vector<std::string>& words) const {
  auto check = [words](std::string& given) {
    if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
    return fmt::format("'{}' is none of {}", given, fmt::join(words, ", "));
  };
  return CommandOption(option_->check(CLI::Validator(check, "", fmt::format("{}", fmt::join(words, "|")))));
}

template <class Number>
CommandOption CommandOption::between(Number least, Number most) const {
  auto check = [=](std::string& given) {
    Number number{};
    if (CLI::detail::lexical_cast(given, number) && number >= least && number <= most) return std::string();
    return fmt::format("'{}' is not a {} from {} to {}", given, std::is_integral_v<Number> ? "whole number" : "number", least, most);
  };
  return CommandOption(option_->check(CLI::Validator(check, "")));
}
template CommandOption CommandOption::between(double least, double most) const;
template CommandOption CommandOption::between(int least, int most) const;
template CommandOption CommandOption::between(std::uint64_t least, std::uint64_t most) const;

CommandOption CommandOption::above_zero() const {
  auto check = [](std::string& given) {
    const auto number = parse_double(given);
    return number && *number > 0 ? std::string() : fmt::format("'{}' is not a number above 0", given);
  };
  return CommandOption(option_->check(CLI::Validator(check, "")));
}
CommandOption CommandOption::not_negative() const {
  auto check = [](std::string& given) {
    const auto number = parse_double(given);
    return number && *number >= 0 ? std::string() : fmt::format("'{}' is not a number of 0 or more", given);
  };
  return CommandOption(option_->check(CLI::Validator(check, "")));
}

bool CommandOption::given() const { return option_->count() > 0; }

template <class Target>
CommandOption CommandLine::add_option(const std::string& names, Target& target, const std::string& description) const {
  return CommandOption(app_->add_option(names, target, description));
}
template CommandOption CommandLine::add_option(const std::string&, std::string&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, std::vector<std::string>&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, double&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, unsigned&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, std::size_t&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, std::optional<int>&, const std::string&) const;
template CommandOption CommandLine::add_option(const std::string&, std::optional<std::size_t>&, const std::string&) const;

CommandOption CommandLine::add_flag(const std::string& names, bool& target, const std::string& description) const {
  return CommandOption(app_->add_flag(names, target, description));
}
CommandOption CommandLine::option(const std::string& name) const { return CommandOption(app_->get_option(name)); }

}  // namespace fathom
