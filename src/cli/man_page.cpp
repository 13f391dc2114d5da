// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>

#include "base/text.h"
#include "cli/choices.h"

namespace fathom {
namespace {

/// As text in roff: hyphens that can be copied, no backslash that means something, no line that is a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// Paragraphs flow; lines that begin with a blank (lists, examples) stay as they are, an empty line begins a paragraph.
std::string paragraphs(std::string_view text) {
  std::string out;
  bool kept = false;
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    const bool keep = !line.empty() && is_blank(line.front());
    if (keep != kept && !line.empty()) out += keep ? ".nf\n" : ".fi\n", kept = keep;
    out += line.empty() ? (kept ? "\n" : ".PP\n") : roff(line) + "\n";
  }
  return out + (kept ? ".fi\n" : "");
}

std::string as_it_is(std::string_view text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

constexpr std::string_view where_pages_are = ".PP\nPages that are named docs/... are in share/doc/fathom where the program is installed.\n";

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string title(std::string_view name) {
  return fmt::format(".\\\" written by fathom docs \\-\\-share\n.TH {} 1 \"\" \"fathom {}\" \"Fathom\"\n", upper(name), FATHOM_VERSION);
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    std::string name = option->get_positional() ? option->get_name(true) : option->get_name(false, true);
    if (!option->get_positional() && takes_value(*option) && !option->get_type_name().empty()) name += " " + option->get_type_name();
    text += fmt::format(".TP\n.B {}\n{}{}\n", roff(name), roff(option->get_description()),
                        option->get_required() && !option->get_positional() ? " (required)" : "");
  }
  return text;
}

std::string synopsis(const std::string& words, const CLI::App& app) {
  std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", roff(words));
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) {
      const std::string word = fmt::format("\\fI{}\\fR{}", roff(option->get_name(true)), option->get_expected_max() > 1 ? "..." : "");
      text += option->get_required() ? " " + word : " [" + word + "]";
    }
  return text + "\n";
}

std::string part_section(const Command& whole, const Command& part, const CLI::App& app) {
  return fmt::format(".SH {}\n{}.br\n{}.\n.PP\n{}{}.PP\nExamples:\n{}", upper(fmt::format("fathom {} {}", whole.name, part.name)),
                     synopsis(fmt::format("fathom {} {}", whole.name, part.name), app), roff(part.summary), paragraphs(part.details),
                     options_of(app), as_it_is(part.examples));
}

}  // namespace

std::string man_page(const Command& command, const CLI::App& app) {
  const std::string name = fmt::format("fathom-{}", command.name), words = fmt::format("fathom {}", command.name);
  std::string text = title(name) + fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(name), roff(command.summary));
  if (command.parts == nullptr)
    text += synopsis(words, app);
  else
    for (const Command* part : command.parts())
      text += synopsis(fmt::format("{} {}", words, part->name), *app.get_subcommand(std::string(part->name))) + ".br\n";
  text += ".SH DESCRIPTION\n" + paragraphs(command.details);
  if (command.parts == nullptr)
    text += ".SH OPTIONS\n" + options_of(app);
  else
    for (const Command* part : command.parts()) text += part_section(command, *part, *app.get_subcommand(std::string(part->name)));
  return text + ".SH EXAMPLES\n" + as_it_is(command.examples) + ".SH SEE ALSO\n.BR fathom (1)\n" + std::string(where_pages_are);
}

std::string overview_man_page(const CLI::App& app) {
  std::string text = title("fathom") + fmt::format(
                                           ".SH NAME\nfathom \\- what file systems and jobs do to each other, and what to change\n.SH "
                                           "SYNOPSIS\n.B fathom\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]...\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
                                           roff(app.get_description()));
  std::string others;
  for (const Command* command : all_commands()) {
    text += fmt::format(".TP\n.BR fathom\\-{} (1)\n{}\n", roff(command->name), roff(command->summary));
    others += fmt::format("{}.BR fathom\\-{} (1)", others.empty() ? "" : ",\n", roff(command->name));
  }
  return text + ".SH OPTIONS\n" + options_of(app) +
         ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nit failed; standard error says why\n.TP\n2\nwrong "
         "usage\n.TP\n130\ninterrupted\n.PP\nData goes to standard output, messages to standard error.\n.SH SEE ALSO\n" +
         others + "\n" + std::string(where_pages_are);
}

}  // namespace fathom
