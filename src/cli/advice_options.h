// SPDX-License-Identifier: Apache-2.0
/// Options that `fathom advise` has in all its forms, and what they mean to an advisor.
#pragma once

#include <memory>
#include <string>

#include "advise/advisor.h"
#include "advise/weights.h"
#include "cli/command_line.h"

namespace fathom {

struct AdviceArguments {
  double impact = 1.5, max_delay = 1800;
  std::string weights;

  advise::AdvisorSettings settings() const { return {.impact = impact, .max_delay_seconds = max_delay}; }
};

/// --impact, --max-delay, --weights.
std::shared_ptr<AdviceArguments> add_advice_options(CommandLine& line);

}  // namespace fathom
