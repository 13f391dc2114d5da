// SPDX-License-Identifier: Apache-2.0
// A world of one, and what is read from the environment; several ranks are in tests/e2e/ranks.py.
#include "ranks/ranks.h"

#include <gtest/gtest.h>

#include <map>

#include "ranks/launcher.h"
#include "ranks/mpi_file.h"
#include "ranks/shim.h"

namespace fathom {
namespace {

Environment with(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

TEST(Launcher, NothingWithoutAnEnvironment) {
  EXPECT_FALSE(find_launcher(with({})));
  // A batch script runs once, whatever number of tasks was asked for.
  EXPECT_FALSE(find_launcher(with({{"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "0"}})));
  EXPECT_FALSE(find_launcher(with({{"PMI_RANK", "first"}})));
  EXPECT_FALSE(find_launcher(with({{"PMI_RANK", "-1"}})));
}

TEST(Launcher, Hydra) {
  const auto launcher = find_launcher(with({{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}}));
  ASSERT_TRUE(launcher);
  EXPECT_EQ(launcher->flavour, MpiFlavour::mpich);
  EXPECT_EQ(launcher->rank, 3);
  EXPECT_EQ(launcher->size, 8);
  EXPECT_EQ(launcher->local_rank, 1);
}

TEST(Launcher, OpenMpiThoughItSetsPmixAndRunsInSlurm) {
  const auto launcher = find_launcher(with({{"OMPI_COMM_WORLD_RANK", "2"},
                                            {"OMPI_COMM_WORLD_SIZE", "4"},
                                            {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                                            {"PMIX_RANK", "2"},
                                            {"SLURM_NTASKS", "16"}}));
  ASSERT_TRUE(launcher);
  EXPECT_EQ(launcher->flavour, MpiFlavour::openmpi);
  EXPECT_EQ(launcher->rank, 2);
  EXPECT_EQ(launcher->size, 4);
  EXPECT_EQ(launcher->local_rank, 0);
}

TEST(Launcher, SlurmTellsTheSizeOfTheStepNotOfTheJob) {
  const auto launcher =
      find_launcher(with({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "16"}, {"SLURM_LOCALID", "1"}}));
  ASSERT_TRUE(launcher);
  EXPECT_EQ(launcher->flavour, MpiFlavour::openmpi);
  EXPECT_EQ(launcher->size, 4);
  EXPECT_EQ(find_launcher(with({{"PMIX_RANK", "1"}}))->size, 0) << "not told";
  EXPECT_EQ(find_launcher(with({{"PMI_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}}))->size, 4) << "srun --mpi=pmi2";
}

TEST(Launcher, TasksWithoutMpi) {
  const auto task = [](std::map<std::string, std::string> variables) {
    const Task found = find_task(with(std::move(variables)));
    return std::pair{found.rank, found.size};
  };
  EXPECT_EQ(task({}), std::pair(0, 1));
  EXPECT_EQ(task({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "16"}}), std::pair(3, 4))
      << "srun --mpi=none";
  EXPECT_EQ(task({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}}), std::pair(0, 1)) << "a batch script";
  EXPECT_EQ(task({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"FATHOM_MPI", "none"}}), std::pair(1, 2)) << "FATHOM_MPI is about what is opened";
  EXPECT_EQ(task({{"PMIX_RANK", "1"}}), std::pair(1, 0)) << "several, how many is not told";
}

TEST(Launcher, ChoiceOfTheUser) {
  EXPECT_FALSE(find_launcher(with({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"FATHOM_MPI", "none"}})));
  EXPECT_EQ(read_mpi_choice(with({{"FATHOM_MPI", "openmpi"}}))->flavour, MpiFlavour::openmpi);
  EXPECT_EQ(read_mpi_choice(with({{"FATHOM_MPI", "./my.so"}}))->library, "./my.so");
  EXPECT_FALSE(read_mpi_choice(with({}))->flavour);
  EXPECT_FALSE(read_mpi_choice(with({{"FATHOM_MPI", ""}}))->none);
  const auto wrong = read_mpi_choice(with({{"FATHOM_MPI", "lam"}}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::usage);
  EXPECT_NE(wrong.error().message.find("'lam'"), std::string::npos);
}

TEST(Shim, PlacesAreRelativeToTheExecutable) {
  const auto places = shim_places("/opt/fathom/bin", MpiFlavour::mpich);
  EXPECT_EQ(places, (std::vector<std::string>{"/opt/fathom/bin/lib/fathom-mpi-mpich.so", "/opt/fathom/lib/fathom/fathom-mpi-mpich.so",
                                              "/opt/fathom/lib/fathom-mpi-mpich.so"}));
}

TEST(Shim, WhatIsNotOneOfOursIsRefused) {
  MpiChoice choice;
  choice.library = "/no/such/library.so";
  const auto missing = open_shim(choice, std::nullopt);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("/no/such/library.so"), std::string::npos) << missing.error().message;
  choice.library = "libm.so.6";  // a library, but without a table
  const auto other = open_shim(choice, std::nullopt);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("is not one of Fathom's"), std::string::npos) << other.error().message;
}

TEST(Ranks, AWorldOfOneNeedsNoMpi) {
  ASSERT_FALSE(find_launcher(process_environment())) << "run this test without mpiexec";
  auto ranks = Ranks::join();
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->rank(), 0);
  EXPECT_EQ(ranks->size(), 1);
  EXPECT_EQ(ranks->library(), "");
  EXPECT_TRUE(ranks->barrier());
  std::string text = "abc";
  EXPECT_TRUE(ranks->broadcast(text));
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(*ranks->gather("mine"), std::vector<std::string>{"mine"});
  EXPECT_EQ(*ranks->all_gather("mine"), std::vector<std::string>{"mine"});
  std::uint64_t numbers[] = {1, 2};
  EXPECT_TRUE(ranks->sum(numbers));
  EXPECT_EQ(numbers[1], 2u);
  EXPECT_EQ(*ranks->maximum(-1.5), -1.5);
  EXPECT_TRUE(ranks->agree({}));
  const auto failed = ranks->agree(Error{ErrorKind::usage, "why"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "why");
  EXPECT_EQ(failed.error().kind, ErrorKind::usage);
  const auto file = MpiFile::open(*ranks, "somewhere", MpiFile::Access::write, MpiFile::Scope::self);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("somewhere"), std::string::npos);
}

}  // namespace
}  // namespace fathom
