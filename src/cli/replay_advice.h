// SPDX-License-Identifier: Apache-2.0
/// `fathom advise --replay`: policies over a month of the replayed machine.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/output.h"

namespace fathom {

struct ReplayArguments {
  bool replay = false;
  std::size_t seeds = 3;
  std::uint64_t first_seed = 1;
  double days = 7;
  std::string table = "policies", groups;
};

/// Options that `fathom advise` has in all its forms.
struct AdviceArguments {
  double impact = 1.5, max_delay = 1800;
  std::string weights;
};

std::shared_ptr<AdviceArguments> add_advice_options(CLI::App& app);
std::shared_ptr<ReplayArguments> add_replay_options(CLI::App& app);
Result<void> replay_advice(const ReplayArguments& given, const AdviceArguments& advice, const OutputOptions& output);

}  // namespace fathom
