// SPDX-License-Identifier: Apache-2.0
/// Where a command declares its options. CLI11 is behind it and not in this header: every file that sees it takes ten seconds to compile.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fathom {

/// An option or argument that was declared. Everything said of it returns it again, so that it can be said in one go.
class CommandOption {
 public:
  CommandOption() = default;
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  CommandOption description(const std::string& text) const;
  /// What stands for its value in --help: FILE, BYTES, S.
  CommandOption type_name(const std::string& name) const;
  CommandOption required() const;
  /// Takes exactly so many values.
  CommandOption values(int count) const;
  /// Takes one value each time, and may be given any number of times.
  CommandOption repeated() const;
  /// May be given without its value too.
  CommandOption value_may_lack() const;
  /// One value holds several, such as a,b,c.
  CommandOption delimiter(char between) const;
  /// Takes one value each time; what stands after it is another argument.
  CommandOption one_value_at_a_time() const;

  CommandOption excludes(CommandOption other) const;
  CommandOption excludes(const std::string& other) const;
  CommandOption needs(CommandOption other) const;

  // What it accepts. --help says it in words, so these add nothing to it.
  CommandOption one_of(const std::vector<std::string>& words) const;
  /// Numbers of this type (double, int, std::uint64_t), both ends included.
  template <class Number>
  CommandOption between(Number least, Number most) const;
  CommandOption above_zero() const;
  CommandOption not_negative() const;

  /// After parsing: whether it stood on the command line.
  bool given() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// The part of the command line that belongs to one command.
class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(&app) {}

  /// "--name", "-n,--name" or, of an argument, "NAME". The value that `target` has is the default. The types there can be are listed in
  /// command_line.cpp.
  template <class Target>
  CommandOption add_option(const std::string& names, Target& target, const std::string& description) const;
  CommandOption add_flag(const std::string& names, bool& target, const std::string& description) const;
  /// One that was declared before, by a function that several commands call.
  CommandOption option(const std::string& name) const;

  /// For the few that look at declarations themselves.
  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace fathom
