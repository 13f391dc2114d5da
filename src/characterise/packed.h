// SPDX-License-Identifier: Apache-2.0
/// An analysis as bytes, for another process of the same run.
#pragma once

#include <string>
#include <string_view>

#include "characterise/analyse.h"

namespace fathom {

std::string pack(const Analysis& analysis);
/// Adds what another process found: jobs, ledger, server totals.
Result<void> unpack_into(Analysis& analysis, std::string_view bytes);

}  // namespace fathom
