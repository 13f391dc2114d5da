// SPDX-License-Identifier: Apache-2.0
/// `fathom advise STORE`: run or delay for one job, from the store's counters and running jobs.
#pragma once

#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/output.h"
#include "cli/replay_advice.h"
#include "store_advice/known_applications.h"

namespace fathom {

struct StoreAdviceArguments {
  std::string store, user, name, at, delayed_since;
  std::uint32_t nodes = 0;
};

/// STORE, --user, --name, --nodes, --at, --delayed-since.
std::shared_ptr<StoreAdviceArguments> add_store_advice_options(CommandLine& line);
Result<void> advise_from_store(const StoreAdviceArguments& given, const AdviceArguments& advice, const FindApplication& find,
                               const OutputOptions& output);

}  // namespace fathom
