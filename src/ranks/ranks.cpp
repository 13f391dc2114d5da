// SPDX-License-Identifier: Apache-2.0
#include "ranks/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "ranks/launcher.h"
#include "ranks/shim.h"
#include "ranks/world.h"

namespace fathom {
namespace {

std::string library_version(const fathom_mpi_table& mpi) {
  char text[8192] = "";
  mpi.library(text, sizeof text);
  // MPICH tells its whole configuration, in lines; Open MPI its package, after a comma.
  std::string first(text, std::find_if(text, text + std::char_traits<char>::length(text), [](char c) { return c == '\n' || c == ','; }));
  for (char& c : first) c = c == '\t' ? ' ' : c;
  return first;
}

/// N worlds of one process each: the launcher and the library do not know each other.
Error not_one_world(const Launcher& launcher, const std::string& library, int size) {
  const MpiFlavour other = library.find("openmpi.so") == std::string::npos ? MpiFlavour::openmpi : MpiFlavour::mpich;
  return {ErrorKind::unsupported, fmt::format("joining the ranks: {} started {} processes (by {}), but the MPI of {} sees {}; use the "
                                              "mpiexec of that MPI, or set FATHOM_MPI={}",
                                              launcher.name, launcher.size, launcher.variable, library, size, name_of(other))};
}

}  // namespace

Result<Ranks> Ranks::join(Mpi mpi) {
  auto world = std::make_unique<World>();
  const Environment environment = process_environment();
  TRY(const MpiChoice choice, read_mpi_choice(environment));
  const auto launcher = find_launcher(environment);
  if (!launcher && mpi == Mpi::when_launched) return Ranks(std::move(world));
  TRY(const Shim shim, open_shim(choice, launcher));
  world->library = fmt::format("{}, by {}", library_version(*shim.table), shim.path);
  TRY_VOID(world->begin(*shim.table));
  if (launcher && launcher->size > 0 && launcher->size != world->size) return not_one_world(*launcher, world->library, world->size);
  return Ranks(std::move(world));
}

Ranks::Ranks(std::unique_ptr<World> world) : world_(std::move(world)) {}
Ranks::Ranks(Ranks&&) noexcept = default;
Ranks::~Ranks() = default;

int Ranks::rank() const { return world_->rank; }
int Ranks::size() const { return world_->size; }
std::string Ranks::library() const { return world_->library; }

Result<void> Ranks::barrier() { return world_->meet(Intent::work); }

Result<void> Ranks::broadcast(std::string& bytes) {
  TRY_VOID(world_->meet(Intent::work));
  if (size() == 1) return {};
  std::uint64_t length = bytes.size();
  TRY_VOID(world_->checked(world_->mpi->broadcast(&length, sizeof length, 0)));
  if (rank() != 0) bytes.resize(length);
  return world_->checked(world_->mpi->broadcast(bytes.data(), length, 0));
}

Result<std::vector<std::string>> Ranks::gather(std::string mine) {
  TRY_VOID(world_->meet(Intent::work));
  return world_->exchange(std::move(mine), World::To::first);
}

Result<std::vector<std::string>> Ranks::all_gather(std::string mine) {
  TRY_VOID(world_->meet(Intent::work));
  return world_->exchange(std::move(mine), World::To::all);
}

Result<void> Ranks::sum(std::span<std::uint64_t> numbers) {
  TRY_VOID(world_->meet(Intent::work));
  return size() == 1 ? Result<void>{} : world_->checked(world_->mpi->sum(numbers.data(), numbers.size()));
}

Result<double> Ranks::maximum(double mine) {
  TRY_VOID(world_->meet(Intent::work));
  if (size() > 1) TRY_VOID(world_->checked(world_->mpi->maximum(&mine)));
  return mine;
}

Result<void> Ranks::agree(const Result<void>& mine) {
  if (mine) return world_->meet(Intent::work);
  // What a call of ours returned is agreed on already; on rank 0 it carries the words.
  if (world_->ended || size() == 1) return mine;
  return world_->meet(Intent::fail, &mine.error());
}

}  // namespace fathom
