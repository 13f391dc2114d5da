// SPDX-License-Identifier: Apache-2.0
/// Retention: whole days are dropped, and not taken again.
#pragma once

#include "store/store.h"

namespace fathom {

struct ForgetReport {
  std::uint64_t segments = 0, rows = 0;
};

Result<ForgetReport> forget(Transaction& transaction, std::int32_t first_day_kept);

}  // namespace fathom
