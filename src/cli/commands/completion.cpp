// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/output.h"

namespace fathom {
namespace {

std::function<Result<void>()> declare(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Shell& each : all_shells()) names.emplace_back(each.name);
  line.add_option("SHELL", *shell, "bash, zsh or fish").required().one_of(names);
  return [shell]() -> Result<void> {
    std::function<Result<void>()> chosen;
    const auto whole = make_app(chosen);
    for (const Shell& each : all_shells())
      if (each.name == *shell) return write_text(each.script(*whole), {});
    return {};
  };
}

}  // namespace

namespace commands {
extern const Command completion;
constinit const Command completion{
    .name = "completion",
    .summary = "Print a script by which a shell completes fathom's commands and options",
    .details = "`make install` and the packages put these scripts where bash, zsh and fish look for them; this is for everybody else.",
    .examples = R"(  source <(fathom completion bash)
  fathom completion bash > ~/.local/share/bash-completion/completions/fathom
  fathom completion zsh > ~/.zsh/functions/_fathom
  fathom completion fish > ~/.config/fish/completions/fathom.fish)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
