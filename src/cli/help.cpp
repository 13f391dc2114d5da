// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "base/wrap.h"

namespace fathom {
namespace {

constexpr std::size_t page_width = 100, name_width = 28, command_width = 14;

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
    CLI::detail::format_help(out, command->get_name(), wrap_text(command->get_description(), page_width - command_width), command_width);
    return out.str();
  }
  std::string make_footer(const CLI::App* app) const override { return wrap_text(app->get_footer(), page_width) + "\n"; }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace fathom
