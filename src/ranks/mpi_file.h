// SPDX-License-Identifier: Apache-2.0
/// A file through MPI-IO, for the benchmark: opened by all ranks together or by each alone, read and written at offsets.
#pragma once

#include "ranks/ranks.h"

namespace fathom {

/// Needs a world with MPI: Ranks::join(Mpi::always).
///
/// A collective call waits for all ranks that opened the file. A rank whose call failed therefore goes on with the calls of
/// its phase, and brings the first error to `Ranks::agree` at the end of it.
class MpiFile {
 public:
  enum class Access { read, write, read_write };  // those that write create the file
  enum class Scope { world, self };
  enum class Call { alone, collective };  // collective: at most max_collective_bytes each

  static constexpr std::uint64_t max_collective_bytes = std::uint64_t{1} << 30;

  static Result<MpiFile> open(const Ranks& ranks, std::string path, Access access, Scope scope);
  MpiFile(MpiFile&& other) noexcept;
  MpiFile& operator=(MpiFile&&) = delete;
  /// Closes a file of its own. One of the world stays open: closing waits for the others, and whoever comes here without close() has
  /// failed.
  ~MpiFile();

  Result<void> write_at(std::uint64_t offset, const void* memory, std::uint64_t bytes, Call call = Call::alone);
  /// Less than `bytes` there is an error.
  Result<void> read_at(std::uint64_t offset, void* memory, std::uint64_t bytes, Call call = Call::alone);
  /// Collective where the scope is the world, like open and close.
  Result<void> sync();
  Result<void> close();

 private:
  MpiFile(const Ranks::World& world, std::string path, Scope scope, void* file);
  Result<void> transfer(bool writes, std::uint64_t offset, void* memory, std::uint64_t bytes, Call call);
  Result<void> checked(int code, const std::string& attempt) const;

  const Ranks::World* world_;
  std::string path_;
  Scope scope_;
  void* file_;  // nullptr when closed
};

}  // namespace fathom
