// SPDX-License-Identifier: Apache-2.0
#include "ranks/shim.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string_view packages(MpiFlavour flavour) {
  return flavour == MpiFlavour::mpich ? "Debian: mpich libmpich-dev" : "Debian: openmpi-bin libopenmpi-dev";
}

Error not_opened(std::string_view attempt, std::string_view found) {
  return {ErrorKind::unsupported, fmt::format("{}: {}; FATHOM_MPI=none runs each process for itself", attempt, found)};
}

Result<Shim> open_library(const std::string& path, std::string_view attempt) {
  // Global, because Open MPI's plugins expect to find its symbols in the program. Never closed: MPI libraries leave exit handlers behind.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    return not_opened(attempt, fmt::format("{} (is that MPI installed on this node, its module loaded?)", ::dlerror()));
  const auto* table = static_cast<const fathom_mpi_table*>(::dlsym(library, FATHOM_MPI_TABLE_NAME));
  if (table == nullptr) return not_opened(attempt, fmt::format("{} is not one of Fathom's MPI libraries", path));
  if (table->version != FATHOM_MPI_TABLE_VERSION || table->table_bytes != sizeof(fathom_mpi_table))
    return not_opened(attempt, fmt::format("{} is of another version of Fathom", path));
  return Shim{table, path};
}

}  // namespace

std::vector<std::string> shim_places(const std::string& folder, MpiFlavour flavour) {
  const std::string file = fmt::format("fathom-mpi-{}.so", name_of(flavour));
  std::vector<std::string> places;
  for (const char* way : {"lib", "../lib/fathom", "../lib"}) places.push_back((fs::path(folder) / way / file).lexically_normal().string());
  return places;
}

Result<Shim> open_shim(const MpiChoice& choice, const std::optional<Launcher>& launcher) {
  const std::string attempt = launcher ? fmt::format("joining the ranks that {} started", launcher->name) : "opening MPI";
  if (choice.none) return Error{ErrorKind::unsupported, fmt::format("{}: FATHOM_MPI=none forbids it", attempt)};
  if (!choice.library.empty()) return open_library(choice.library, attempt);
  std::vector<MpiFlavour> flavours = {MpiFlavour::mpich, MpiFlavour::openmpi};
  if (choice.flavour)
    flavours = {*choice.flavour};
  else if (launcher)
    flavours = {launcher->flavour};

  std::error_code problem;
  const std::string folder = fs::read_symlink("/proc/self/exe", problem).parent_path().string();
  std::vector<std::string> missing, wanted;
  for (const MpiFlavour flavour : flavours) {
    for (const std::string& place : shim_places(folder, flavour)) {
      if (fs::exists(place, problem)) return open_library(place, attempt);
      missing.push_back(place);
    }
    wanted.push_back(fmt::format("{} ({})", name_of(flavour), packages(flavour)));
  }
  return not_opened(
      attempt,
      fmt::format("there is none of {}; build and install Fathom where {} is present, or name the library with FATHOM_MPI=/path/to.so",
                  fmt::join(missing, ", "), fmt::join(wanted, " or ")));
}

}  // namespace fathom
