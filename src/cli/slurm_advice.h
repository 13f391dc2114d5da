// SPDX-License-Identifier: Apache-2.0
/// `fathom advise STORE --slurm`: the daemon that lets jobs of known applications begin when it is their time.
#pragma once

#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/replay_advice.h"

namespace fathom {

struct SlurmAdviceArguments {
  bool slurm = false, dry_run = false, once = false, learn = false;
  std::string state = "/var/lib/fathom/slurm";
  double poll = 5, lease = 60, stale = 120, learn_every = 3600, learn_days = 30;
};

std::shared_ptr<SlurmAdviceArguments> add_slurm_advice_options(CommandLine& line);
Result<void> advise_slurm(const std::string& store, const SlurmAdviceArguments& given, const AdviceArguments& advice);

}  // namespace fathom
