// SPDX-License-Identifier: Apache-2.0
/// Slices as rows of a table: of applications, or of their processes.
#pragma once

#include "compete/application.h"
#include "report/table.h"

namespace fathom {

struct SliceRowsOptions {
  bool trim = false;   // only the I/O phases
  bool brief = false;  // for people: fewer columns, no slices in which nothing was done
};

/// One row for each slice while the application ran.
Table application_slices(const compete::Application& application, const SliceRowsOptions& options);
/// One row for each slice in which the process did something.
Table process_slices(const compete::Application& application, std::size_t process, const SliceRowsOptions& options);

}  // namespace fathom
