// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "base/talk.h"
#include "cli/command.h"
#include "cli/output.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace {

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

/// Those that this process may use, which under a launcher is often fewer than the node has.
std::int64_t usable_cores() {
  constexpr int most = 8192;
  cpu_set_t* cores = CPU_ALLOC(most);
  CPU_ZERO_S(CPU_ALLOC_SIZE(most), cores);
  const bool known = ::sched_getaffinity(0, CPU_ALLOC_SIZE(most), cores) == 0;
  const int count = known ? CPU_COUNT_S(CPU_ALLOC_SIZE(most), cores) : 1;
  CPU_FREE(cores);
  return count;
}

Result<void> list_ranks(Ranks& ranks, const OutputOptions& output) {
  TRY(const auto hosts, ranks.gather(host_name()));
  const std::string numbers = fmt::format("{} {}", ::getpid(), usable_cores());
  TRY(const auto processes, ranks.gather(numbers));
  if (ranks.rank() != 0) return {};
  Table table{{{"rank", Quantity::count}, {"host"}, {"pid"}, {"cores", Quantity::count}}, {}};
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::size_t blank = processes[i].find(' ');
    table.rows.push_back({cell(std::uint64_t{i}), cell(hosts[i]), cell(processes[i].substr(0, blank)),
                          Cell{std::int64_t{std::stoll(processes[i].substr(blank))}}});
  }
  std::string mpi = ranks.library();
  if (mpi.empty()) mpi = "no launcher seen";
  // srun without --mpi starts tasks that know nothing of each other.
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (ranks.library().empty() && tasks != nullptr && std::string_view(tasks) != "1")
    mpi += fmt::format(" (Slurm started {} tasks here: srun --mpi=pmix or --mpi=pmi2 makes them one world)", tasks);
  const std::set<std::string> nodes(hosts.begin(), hosts.end());
  tell("{} on {}; {}\n", hosts.size() == 1 ? "1 rank" : fmt::format("{} ranks", hosts.size()),
       nodes.size() == 1 ? "1 host" : fmt::format("{} hosts", nodes.size()), mpi);
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto output = add_output_options(line);
  return [output] { return on_ranks([&](Ranks& ranks) { return list_ranks(ranks, *output); }); };
}

}  // namespace

namespace commands {
extern const Command ranks;
constinit const Command ranks{
    .name = "ranks",
    .summary = "List the processes that an MPI launcher started: host, process id, cores",
    .details = R"(Shows whether a launch is what it should be, before a long run: every rank once, on the hosts you expect, with the cores
that it may use. Standard error names the MPI. Without a launcher there is one rank.

Commands that do not work on several ranks refuse to run there. The environment variable FATHOM_MPI overrides which MPI is
opened: mpich, openmpi, none, or the path of a library.)",
    .examples = R"(  fathom ranks
  mpiexec -n 4 fathom ranks
  srun -N 2 --ntasks-per-node 4 --mpi=pmix fathom ranks --format csv)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
