// SPDX-License-Identifier: Apache-2.0
/// Whether this process was started as one of several, as far as the launcher's environment says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

enum class MpiFlavour { mpich, openmpi };
std::string_view name_of(MpiFlavour flavour);  // as in FATHOM_MPI and in the libraries' names

struct Launcher {
  std::string_view name;      // whose mpiexec or srun it was
  std::string_view variable;  // of the environment, by which it was recognised
  MpiFlavour flavour;         // the MPI that such a launcher usually serves
  int rank = 0;
  int size = 0;        // 0: the environment does not tell
  int local_rank = 0;  // among those of the same node
};

/// The value of an environment variable, or nullptr: ::getenv, or a test's.
using Environment = std::function<const char*(const char*)>;
Environment process_environment();

/// What FATHOM_MPI asks for: nothing, a flavour, a library, or no MPI whatever the launcher says.
struct MpiChoice {
  bool none = false;
  std::optional<MpiFlavour> flavour;
  std::string library;  // a path
};
Result<MpiChoice> read_mpi_choice(const Environment& environment);

/// Nothing when no launcher is seen or FATHOM_MPI=none.
std::optional<Launcher> find_launcher(const Environment& environment);

/// One of the processes that one launch started, whether or not they speak MPI with each other.
struct Task {
  int rank = 0;
  int size = 1;  // 0: several, the environment does not tell how many
};

/// From any launcher, also srun without MPI and whatever FATHOM_MPI says; the only one when no launcher is seen.
Task find_task(const Environment& environment);

/// Says to the launcher that this process ends without MPI: those that wait for it in MPI_Init would wait forever.
void abandon_launch(const Environment& environment, int exit_code);

}  // namespace fathom
