// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi_file.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "ranks/world.h"

namespace fathom {

static_assert(MpiFile::max_collective_bytes == FATHOM_MPI_PIECE);

MpiFile::MpiFile(const Ranks::World& world, std::string path, Scope scope, void* file)
    : world_(&world), path_(std::move(path)), scope_(scope), file_(file) {}

MpiFile::MpiFile(MpiFile&& other) noexcept
    : world_(other.world_), path_(std::move(other.path_)), scope_(other.scope_), file_(std::exchange(other.file_, nullptr)) {}

MpiFile::~MpiFile() {
  if (file_ != nullptr && scope_ == Scope::self) (void)close();
}

Result<MpiFile> MpiFile::open(const Ranks& ranks, std::string path, Access access, Scope scope) {
  const Ranks::World& world = *ranks.world_;
  if (world.mpi == nullptr) return Error{ErrorKind::unsupported, fmt::format("opening {} with MPI-IO: MPI was not opened", path)};
  int flags = access == Access::read ? FATHOM_MPI_READ : FATHOM_MPI_WRITE | FATHOM_MPI_CREATE;
  if (access == Access::read_write) flags |= FATHOM_MPI_READ;
  MpiFile file(world, std::move(path), scope, nullptr);
  const int code = world.mpi->file_open(file.path_.c_str(), flags, scope == Scope::self ? FATHOM_MPI_SELF : FATHOM_MPI_WORLD, &file.file_);
  TRY_VOID(file.checked(code, "opening"));
  return file;
}

Result<void> MpiFile::write_at(std::uint64_t offset, const void* memory, std::uint64_t bytes, Call call) {
  return transfer(true, offset, const_cast<void*>(memory), bytes, call);  // the table's one function for both directions only reads it then
}

Result<void> MpiFile::read_at(std::uint64_t offset, void* memory, std::uint64_t bytes, Call call) {
  return transfer(false, offset, memory, bytes, call);
}

Result<void> MpiFile::transfer(bool writes, std::uint64_t offset, void* memory, std::uint64_t bytes, Call call) {
  assert(file_ != nullptr);
  const std::string attempt = fmt::format("{} {} bytes at {} of", writes ? "writing" : "reading", bytes, offset);
  if (call == Call::collective && bytes > max_collective_bytes)
    return Error{ErrorKind::unsupported,
                 fmt::format("{} {}: a collective call takes at most {} bytes", attempt, path_, max_collective_bytes)};
  fathom_mpi_transfer transfer{
      .writes = writes, .collective = call == Call::collective, .offset = offset, .bytes = bytes, .memory = memory, .done = 0};
  TRY_VOID(checked(world_->mpi->file_transfer(file_, &transfer), attempt));
  if (transfer.done == bytes) return {};
  return Error{writes ? ErrorKind::unwritable : ErrorKind::unreadable,
               fmt::format("{} {}: only {} bytes were done", attempt, path_, transfer.done)};
}

Result<void> MpiFile::sync() {
  assert(file_ != nullptr);
  return checked(world_->mpi->file_sync(file_), "syncing");
}

Result<void> MpiFile::close() {
  assert(file_ != nullptr);
  return checked(world_->mpi->file_close(std::exchange(file_, nullptr)), "closing");
}

Result<void> MpiFile::checked(int code, const std::string& attempt) const {
  if (code == 0) return {};
  return Error{ErrorKind::unreadable, fmt::format("{} {} with MPI-IO: {}", attempt, path_, mpi_error_text(*world_->mpi, code))};
}

}  // namespace fathom
