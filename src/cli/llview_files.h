// SPDX-License-Identifier: Apache-2.0
/// Jobs as LLview keeps them: a file of rates for each, FSusage_JOB_all_node.dat, and one of its timeline.
#pragma once

#include <cstdint>
#include <string>

#include "store/store.h"

namespace fathom {

struct LlviewAccount {
  std::uint64_t jobs = 0;      // that have files
  std::uint64_t left_out = 0;  // still running, or of which no servers are known
};

/// Writes to folder/llview and folder/timelines.
Result<LlviewAccount> write_llview_files(const Store& store, const std::string& folder);

}  // namespace fathom
