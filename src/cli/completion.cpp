// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

#include "cli/choices.h"

namespace fathom {
namespace {

using Apps = std::vector<const CLI::App*>;

Apps parts_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> named_options(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional() == false; });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// For single quotes of a shell.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Descriptions are sentences; a line of completions holds their first part.
std::string brief(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (const auto end = text.find_first_of(";("); end != std::string_view::npos && end > 8) text = text.substr(0, end);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* part : parts_of(app)) names.push_back(part->get_name());
  return names;
}

// --- bash ---------------------------------------------------------------------------------------------------------------

/// The choices after the word before, then the options' names; what is neither is left to the shell: files.
std::string bash_case(const CLI::App& app, const std::string& words) {
  std::string values, options;
  for (const CLI::Option* option : named_options(app)) {
    const auto names = names_of(*option), choices = choices_of(*option);
    options += fmt::format("{}{}", options.empty() ? "" : " ", fmt::join(names, " "));
    if (!choices.empty())
      values += fmt::format("        {}) COMPREPLY=($(compgen -W {} -- \"$cur\")); return ;;\n", fmt::join(names, "|"),
                            single_quoted(fmt::format("{}", fmt::join(choices, " "))));
    else if (takes_value(*option))
      values += fmt::format("        {}) return ;;\n", fmt::join(names, "|"));
  }
  const std::string parts = fmt::format("{}", fmt::join(command_names(app), " "));
  std::string text = fmt::format("    {})\n", single_quoted(words));
  if (!values.empty()) text += fmt::format("      case \"$prev\" in\n{}      esac\n", values);
  text += fmt::format("      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$cur\"))", single_quoted(options));
  if (!parts.empty()) text += fmt::format("; else COMPREPLY=($(compgen -W {} -- \"$cur\"))", single_quoted(parts));
  return text + "; fi ;;\n";
}

/// Options before a command whose next word is no command: --config.
std::string values_before(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : named_options(app))
    for (const std::string& name : names_of(*option))
      if (takes_value(*option)) names.push_back(name);
  return names.empty() ? "''" : fmt::format("{}", fmt::join(names, "|"));
}

std::string bash_script(const CLI::App& app) {
  std::string cases = bash_case(app, ""), with_parts;
  for (const CLI::App* command : parts_of(app)) {
    cases += bash_case(*command, command->get_name());
    if (!parts_of(*command).empty()) with_parts += fmt::format("{}{}", with_parts.empty() ? "" : "|", command->get_name());
    for (const CLI::App* part : parts_of(*command)) cases += bash_case(*part, command->get_name() + " " + part->get_name());
  }
  return fmt::format(R"(# bash completion of fathom; written by `fathom completion bash`
_fathom() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words= word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    [[ $word == -- ]] && return
    case "$word" in {2}) ((i++)); continue ;; esac
    [[ $word == -* ]] && continue
    if [[ -z $words ]]; then words=$word
    else
      case "$words" in {0}) words+=" $word" ;; esac
      break
    fi
  done
  case "$words" in
{1}  esac
}}
complete -o default -F _fathom fathom
)",
                     with_parts.empty() ? "''" : with_parts, cases, values_before(app));
}

// --- zsh ----------------------------------------------------------------------------------------------------------------

/// Within [...] of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_arguments(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : named_options(app)) {
    const auto choices = choices_of(*option);
    const std::string after = !choices.empty()        ? fmt::format(":value:({})", fmt::join(choices, " "))
                              : !takes_value(*option) ? ""
                              : takes_path(*option)   ? ":file:_files"
                                                      : ":value: ";
    for (const std::string& name : names_of(*option))
      text += " \\\n        " + single_quoted(fmt::format("*{}[{}]{}", name, zsh_text(brief(option->get_description())), after));
  }
  return text + " \\\n        '*:file:_files'";
}

std::string zsh_commands(const CLI::App& app, int indent) {
  std::string text;
  for (const CLI::App* part : parts_of(app))
    text += fmt::format("{:{}}{}\n", "", indent, single_quoted(fmt::format("{}:{}", part->get_name(), zsh_text(part->get_description()))));
  return text;
}

std::string zsh_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : parts_of(app)) {
    if (parts_of(*command).empty()) {
      cases += fmt::format("    {})\n      _arguments{}\n      ;;\n", command->get_name(), zsh_arguments(*command));
      continue;
    }
    cases += fmt::format(
        "    {0})\n      if (( CURRENT == 2 )); then\n        commands=(\n{1}        )\n        _describe 'fathom {0}' commands\n        "
        "return\n      fi\n      case $words[2] in\n",
        command->get_name(), zsh_commands(*command, 10));
    for (const CLI::App* part : parts_of(*command))
      cases += fmt::format("      {})\n        shift words; (( CURRENT-- ))\n        _arguments{}\n        ;;\n", part->get_name(),
                           zsh_arguments(*part));
    cases += "      esac\n      ;;\n";
  }
  return fmt::format(R"(#compdef fathom
# zsh completion of fathom; written by `fathom completion zsh`
_fathom() {{
  local -a commands
  while (( CURRENT > 2 )) && [[ $words[2] == -* ]]; do  # what stands before every command
    [[ $words[2] == ({2}) ]] && (( CURRENT > 3 )) && {{ words[2]=(); (( CURRENT-- )) }}
    words[2]=()
    (( CURRENT-- ))
  done
  if (( CURRENT == 2 )); then
    commands=(
{0}    )
    _describe 'fathom' commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{1}  esac
}}
if [[ $funcstack[1] == _fathom ]]; then _fathom "$@"; else compdef _fathom fathom; fi
)",
                     zsh_commands(app, 6), cases, values_before(app));
}

// --- fish ---------------------------------------------------------------------------------------------------------------

std::string fish_options(const CLI::App& app, const std::string& when) {
  std::string text;
  for (const CLI::Option* option : named_options(app)) {
    text += fmt::format("complete -c fathom -n {}", single_quoted(when));
    for (const std::string& name : option->get_snames()) text += " -s " + name;
    for (const std::string& name : option->get_lnames()) text += " -l " + name;
    if (const auto choices = choices_of(*option); !choices.empty())
      text += " -x -a " + single_quoted(fmt::format("{}", fmt::join(choices, " ")));
    else if (takes_value(*option))
      text += takes_path(*option) ? " -r" : " -x";
    text += " -d " + single_quoted(brief(option->get_description())) + "\n";
  }
  return text;
}

std::string fish_script(const CLI::App& app) {
  std::string text = "# fish completion of fathom; written by `fathom completion fish`\n" + fish_options(app, "__fish_use_subcommand");
  for (const CLI::App* command : parts_of(app)) {
    const std::string name = command->get_name(), seen = "__fish_seen_subcommand_from " + name;
    text += fmt::format("complete -c fathom -n __fish_use_subcommand -f -a {} -d {}\n", name, single_quoted(command->get_description()));
    const std::string parts = fmt::format("{}", fmt::join(command_names(*command), " "));
    if (parts.empty()) {
      text += fish_options(*command, seen);
      continue;
    }
    for (const CLI::App* part : parts_of(*command)) {
      text += fmt::format("complete -c fathom -n {} -f -a {} -d {}\n",
                          single_quoted(fmt::format("{}; and not __fish_seen_subcommand_from {}", seen, parts)), part->get_name(),
                          single_quoted(part->get_description()));
      text += fish_options(*part, fmt::format("{}; and __fish_seen_subcommand_from {}", seen, part->get_name()));
    }
  }
  return text;
}

}  // namespace

std::span<const Shell> all_shells() {
  static constexpr Shell all[] = {{"bash", "share/bash-completion/completions/fathom", bash_script},
                                  {"zsh", "share/zsh/site-functions/_fathom", zsh_script},
                                  {"fish", "share/fish/vendor_completions.d/fathom.fish", fish_script}};
  return all;
}

}  // namespace fathom
