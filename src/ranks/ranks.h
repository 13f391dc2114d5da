// SPDX-License-Identifier: Apache-2.0
/// The processes of one run: this one alone, or all that an MPI launcher started.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

/// Every function but rank(), size() and library() is called by all ranks, in the same order.
///
/// None of them waits for a rank that failed: each begins with a short meeting in which a rank may say so instead (`agree`).
/// Then the call fails on all ranks. Rank 0 gets the message of the lowest rank that failed, the others an Error of the
/// same kind without words: whoever prints errors leaves those out. After that nothing is exchanged any more.
class Ranks {
 public:
  enum class Mpi { when_launched, always };  // always: for MPI-IO, also in a process that no launcher started

  /// A world of one process when no launcher is seen. Once in a process: MPI does not begin twice.
  static Result<Ranks> join(Mpi mpi = Mpi::when_launched);
  Ranks(Ranks&&) noexcept;
  Ranks& operator=(Ranks&&) = delete;
  /// Waits for the others and ends MPI. A rank that comes here early makes the others fail, not wait.
  ~Ranks();

  int rank() const;
  int size() const;
  /// Name and version of the MPI and the library by which it was opened; empty in a world of one without MPI.
  std::string library() const;

  Result<void> barrier();
  /// From rank 0 to all.
  Result<void> broadcast(std::string& bytes);
  /// All parts in order of ranks on rank 0, nothing on the others.
  Result<std::vector<std::string>> gather(std::string mine);
  Result<std::vector<std::string>> all_gather(std::string mine);
  /// Element by element over all ranks; every rank brings the same count and gets the sums.
  Result<void> sum(std::span<std::uint64_t> numbers);
  Result<double> maximum(double mine);
  /// The end of a phase: fails on all ranks if it failed on one.
  Result<void> agree(const Result<void>& mine);

 private:
  friend class MpiFile;
  struct World;
  explicit Ranks(std::unique_ptr<World> world);
  std::unique_ptr<World> world_;
};

}  // namespace fathom
