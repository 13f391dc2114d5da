// SPDX-License-Identifier: Apache-2.0
/// What Ranks consists of: the opened MPI, and the meeting that precedes every exchange.
#pragma once

#include "mpi_shim/table.h"
#include "ranks/ranks.h"

namespace fathom {

/// What a rank comes to a meeting for.
enum class Intent { work, fail, leave };

struct Ranks::World {
  const fathom_mpi_table* mpi = nullptr;  // nullptr: a world of one without MPI
  int rank = 0;
  int size = 1;
  std::string library;
  bool ended = false;                       // a failure was agreed on: all ranks know, nothing is exchanged any more
  bool broken = false;                      // MPI itself failed here: the other ranks cannot be told, only stopped
  ErrorKind kind = ErrorKind::unsupported;  // of the failure

  World() = default;
  World(const World&) = delete;
  ~World();

  Result<void> begin(const fathom_mpi_table& opened);
  /// All ranks say what they came for. Fails when one failed, or left while others want to work.
  Result<void> meet(Intent intent, const Error* mine = nullptr);
  enum class To { first, all };
  Result<std::vector<std::string>> exchange(std::string mine, To to);
  Result<void> checked(int code);

 private:
  Result<void> tell_failure(const Error* mine);
};

/// In words, a code that a function of the table returned.
std::string mpi_error_text(const fathom_mpi_table& mpi, int code);

}  // namespace fathom
