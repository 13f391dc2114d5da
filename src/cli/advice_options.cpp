// SPDX-License-Identifier: Apache-2.0
#include "cli/advice_options.h"

namespace fathom {

std::shared_ptr<AdviceArguments> add_advice_options(CommandLine& line) {
  auto given = std::make_shared<AdviceArguments>();
  line.add_option("--impact", given->impact, "I/O may take so many times as long as alone (default 1.5)")
      .between(1.0, 1000.0)
      .type_name("FACTOR");
  line.add_option("--max-delay", given->max_delay, "after so many seconds of delay a job runs (default 1800)")
      .between(0.0, 1e9)
      .type_name("S");
  line.add_option("--weights", given->weights, "weights of `fathom train` (default: those learned on the replayed machine)")
      .type_name("FILE.toml");
  return given;
}

}  // namespace fathom
