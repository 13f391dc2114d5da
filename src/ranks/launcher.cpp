// SPDX-License-Identifier: Apache-2.0
#include "ranks/launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace fathom {
namespace {

std::optional<int> number(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = environment(name);
    if (text == nullptr) continue;
    const std::string_view digits = text;
    int value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem == std::errc{} && end == digits.data() + digits.size() && value >= 0) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(MpiFlavour flavour) { return flavour == MpiFlavour::mpich ? "mpich" : "openmpi"; }

Environment process_environment() {
  return [](const char* name) { return std::getenv(name); };
}

Result<MpiChoice> read_mpi_choice(const Environment& environment) {
  const char* text = environment("FATHOM_MPI");
  const std::string_view word = text == nullptr ? "" : text;
  if (word.empty()) return MpiChoice{};
  if (word == "none") return MpiChoice{.none = true, .flavour = {}, .library = {}};
  for (const MpiFlavour flavour : {MpiFlavour::mpich, MpiFlavour::openmpi})
    if (word == name_of(flavour)) return MpiChoice{.none = false, .flavour = flavour, .library = {}};
  if (word.find('/') != std::string_view::npos) return MpiChoice{.none = false, .flavour = {}, .library = std::string(word)};
  return Error{ErrorKind::usage,
               fmt::format("reading FATHOM_MPI: '{}' is none of mpich, openmpi, none, and no path of a library (no '/')", word)};
}

namespace {

std::optional<Launcher> see_launcher(const Environment& environment) {
  const int slurm_size = number(environment, {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}).value_or(0);
  // In this order: Open MPI's mpiexec sets PMIX_RANK too, and within a Slurm job all of SLURM_*.
  if (const auto rank = number(environment, {"OMPI_COMM_WORLD_RANK"}))
    return Launcher{"Open MPI's mpiexec",
                    "OMPI_COMM_WORLD_RANK",
                    MpiFlavour::openmpi,
                    *rank,
                    number(environment, {"OMPI_COMM_WORLD_SIZE"}).value_or(0),
                    number(environment, {"OMPI_COMM_WORLD_LOCAL_RANK"}).value_or(*rank)};
  // Hydra, the mpiexec of MPICH, Intel MPI and MVAPICH; also srun --mpi=pmi2.
  if (const auto rank = number(environment, {"PMI_RANK"}))
    return Launcher{"a launcher of MPICH's kind",
                    "PMI_RANK",
                    MpiFlavour::mpich,
                    *rank,
                    number(environment, {"PMI_SIZE"}).value_or(slurm_size),
                    number(environment, {"MPI_LOCALRANKID", "SLURM_LOCALID"}).value_or(*rank)};
  // srun --mpi=pmix; Open MPI is what most sites run under it.
  if (const auto rank = number(environment, {"PMIX_RANK"}))
    return Launcher{slurm_size > 0 ? "srun --mpi=pmix" : "a launcher with PMIx", "PMIX_RANK", MpiFlavour::openmpi, *rank, slurm_size,
                    number(environment, {"SLURM_LOCALID"}).value_or(*rank)};
  return std::nullopt;
}

}  // namespace

std::optional<Launcher> find_launcher(const Environment& environment) {
  if (const auto choice = read_mpi_choice(environment); choice && choice->none) return std::nullopt;
  return see_launcher(environment);
}

Task find_task(const Environment& environment) {
  if (const auto launcher = see_launcher(environment)) return {launcher->rank, launcher->size};
  // A batch script has SLURM_PROCID too; only steps have a step's number.
  const auto rank = number(environment, {"SLURM_PROCID"});
  if (!rank || environment("SLURM_STEP_ID") == nullptr) return {};
  return {*rank, number(environment, {"SLURM_STEP_NUM_TASKS"}).value_or(1)};
}

void abandon_launch(const Environment& environment, int exit_code) {
  // Hydra (which alone sets MPI_LOCALRANKID) looks at exit codes only of processes that came to MPI_Init; before, it listens to one line
  // of PMI 1, "abort". Open MPI's mpiexec and srun --kill-on-bad-exit need no more than the exit code.
  if (!number(environment, {"MPI_LOCALRANKID"})) return;
  const auto wire = number(environment, {"PMI_FD"});
  if (!wire) return;
  const std::string line = fmt::format("cmd=abort exitcode={}\n", exit_code);
  if (::write(*wire, line.data(), line.size()) < 0) return;  // then there is nobody to tell
}

}  // namespace fathom
