// SPDX-License-Identifier: Apache-2.0
/// What DuckDB says of a query that failed, as an error that names the store, the segment, and what to do.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

/// `said` is DuckDB's message about `sql`. A query that reads no segments keeps that message, and is of the kind given.
Error query_error(std::string_view sql, std::string_view said, ErrorKind otherwise);

}  // namespace fathom
