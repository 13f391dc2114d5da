// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/text.h"

namespace fathom {
namespace {

constexpr std::size_t page_width = 100, name_width = 28;

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(name_width);
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional()) return option->get_expected_max() == CLI::detail::expected_max_vector_size ? "..." : "";
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const bool tell = option->get_required() && !option->get_positional();
    return wrap_text(option->get_description() + (tell ? " (required)" : ""), page_width - name_width);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream out;
    CLI::detail::format_help(out, command->get_name(), wrap_text(command->get_description(), page_width - name_width), name_width);
    return out.str();
  }
  std::string make_footer(const CLI::App* app) const override { return wrap_text(app->get_footer(), page_width) + "\n"; }
};

}  // namespace

std::string wrap_text(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t column = 0;  // 0: at the begin of a line
  bool as_it_is = true;    // the line before cannot be continued
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const bool kept = line.empty() || is_blank(line.front());
    if (!out.empty() && (kept || as_it_is)) {
      out += '\n';
      column = 0;
    }
    as_it_is = kept;
    if (kept) {
      out += line;
      continue;
    }
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (column > 0 && column + 1 + word.size() > width) {
        out += '\n';
        column = 0;
      }
      if (column > 0) out += ' ', ++column;
      out += word;
      column += word.size();
    }
  }
  return out;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

CLI::Validator above_zero() {
  auto check = [](std::string& given) {
    const auto number = parse_double(given);
    return number && *number > 0 ? std::string() : fmt::format("'{}' is not a number above 0", given);
  };
  return CLI::Validator(check, "");
}

}  // namespace fathom
