// SPDX-License-Identifier: Apache-2.0
/// What endpoints about stores have in common.
#pragma once

#include "dashboard/dashboard.h"

namespace fathom::dashboard {

/// KeptCriteria[] of web/src/lib/api.ts.
Json kept_json(const std::vector<KeptSetting>& settings);

/// For Endpoint::version: the answer depends on {store} alone.
Result<std::string> store_version(Dashboard& dashboard, const Call& call);

/// Finite numbers, null for all else.
Json number_or_null(double value);

}  // namespace fathom::dashboard
