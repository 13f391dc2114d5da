// SPDX-License-Identifier: Apache-2.0
/// `fathom advise --replay`: policies over a month of the replayed machine.
#pragma once

#include <memory>
#include <string>

#include "cli/advice_options.h"
#include "cli/command_line.h"
#include "cli/output.h"

namespace fathom {

struct ReplayArguments {
  bool replay = false;
  std::size_t seeds = 3;
  std::uint64_t first_seed = 1;
  double days = 7;
  std::string table = "policies", groups;
  std::string since, until;  // of a recorded log
};

std::shared_ptr<ReplayArguments> add_replay_options(CommandLine& line);
Result<void> replay_advice(const ReplayArguments& given, const AdviceArguments& advice, const OutputOptions& output);

}  // namespace fathom
