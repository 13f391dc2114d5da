// SPDX-License-Identifier: Apache-2.0
/// One word of the command line: its help, its options and what it does. Each has a file of its own in commands/.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"

namespace fathom {

struct Command {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view details;   // for --help and the documentation page
  std::string_view examples;  // lines to copy
  /// Declares its options; the result runs after they were parsed.
  std::function<Result<void>()> (*declare)(CommandLine& line) = nullptr;
  /// Whether it may run on several ranks (mpiexec -n 4 fathom ...): it uses on_ranks, or does the same whatever the others do.
  bool ranks = false;
  /// A command made of several (fathom trace summary, fathom trace events): their list, instead of `declare`.
  std::span<const Command* const> (*parts)() = nullptr;
  /// Reads the site's configuration itself, so that a mistake in it does not keep it from starting.
  bool reads_config = false;
};

/// Commands for one purpose, as --help lists them.
struct CommandGroup {
  std::string_view title;
  std::vector<const Command*> commands;
};

std::span<const CommandGroup> command_groups();
std::span<const Command* const> all_commands();

/// The program's options as CLI11 sees them, for parsing and for the documentation.
std::unique_ptr<CLI::App> make_app(std::function<Result<void>()>& chosen);

}  // namespace fathom
