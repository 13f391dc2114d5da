// SPDX-License-Identifier: Apache-2.0
/// Finds and opens the library that stands between the program and an MPI.
#pragma once

#include <string>
#include <vector>

#include "mpi_shim/table.h"
#include "ranks/launcher.h"

namespace fathom {

struct Shim {
  const fathom_mpi_table* table;
  std::string path;
};

/// Where libraries of a flavour may be, seen from the folder of the executable: build tree, then installed.
std::vector<std::string> shim_places(const std::string& folder, MpiFlavour flavour);

/// The one that FATHOM_MPI names, or of the launcher's flavour, or (without a launcher) any. It stays open until the process ends.
Result<Shim> open_shim(const MpiChoice& choice, const std::optional<Launcher>& launcher);

}  // namespace fathom
