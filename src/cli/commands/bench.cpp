// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "bench/run.h"
#include "bench/truth_file.h"
#include "bench/verification.h"
#include "cli/bench_on_ranks.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "ranks/launcher.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> paths, truth;
  std::string size, random_max, layout = "task-local", interface = "posix", verify;
  BenchParameters parameters;
  bool keep = false, summary = false;
};

Result<BenchParameters> to_parameters(const Options& given) {
  BenchParameters parameters = given.parameters;
  parameters.layout = given.layout == word(BenchLayout::shared) ? BenchLayout::shared : BenchLayout::task_local;
  parameters.interface = given.interface == word(BenchInterface::mpiio) ? BenchInterface::mpiio : BenchInterface::posix;
  parameters.random_sizes = !given.random_max.empty();
  const std::string& text = parameters.random_sizes ? given.random_max : given.size;
  if (!text.empty()) {
    const auto bytes = parse_bytes(text);
    if (!bytes) return Error{ErrorKind::usage, fmt::format("benchmarking: '{}' is not a number of bytes (4096, 4K, 1M)", text)};
    parameters.size = *bytes;
  }
  TRY_VOID(validate(parameters));
  return parameters;
}

std::string from_environment(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return as_utf8(value);
  return {};
}

/// What the batch system says of this job, if one runs it; names of hosts stay out.
BenchTruthHead head_of(const BenchParameters& parameters) {
  BenchTruthHead head;
  head.parameters = parameters;
  head.job_id = from_environment({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID"});
  head.nodes = parse_u64(from_environment({"SLURM_JOB_NUM_NODES", "SLURM_NNODES", "PBS_NUM_NODES"})).value_or(0);
  return head;
}

/// Under a launcher its ranks are the tasks; without one, processes of this machine are started.
Result<std::vector<TaskOutcome>> run_tasks(const BenchParameters& parameters, const std::string& directory, bool keep_files, Ranks& ranks) {
  if (!ranks.library().empty()) return run_on_ranks(parameters, directory, keep_files, ranks);
  TRY_VOID(prepare(parameters, directory));
  auto outcomes = run_here(parameters, directory);
  if (!keep_files) remove_data_files(parameters, directory);
  return outcomes;
}

Result<void> run_benchmark(Options given, const OutputOptions& output, Ranks& ranks) {
  if (!ranks.library().empty()) given.parameters.tasks = static_cast<std::uint64_t>(ranks.size());
  TRY(const BenchParameters parameters, to_parameters(given));
  if (given.paths.size() != 1) return Error{ErrorKind::usage, "benchmarking: needs one DIR, where its files go"};
  if (given.truth.size() > 1) return Error{ErrorKind::usage, "benchmarking: one --truth FILE is written; several are for --verify"};
  const std::string& directory = given.paths.front();
  // The data files are gone by now: their room may be needed for the truth.
  TRY(const std::vector<TaskOutcome> outcomes, run_tasks(parameters, directory, given.keep, ranks));
  if (ranks.rank() != 0) return {};
  const std::string truth = given.truth.empty() ? directory + "/bench-truth.csv" : given.truth.front();
  TRY_VOID(write_bench_truth(truth, head_of(parameters), outcomes));
  tell("every byte was read back as written; the calls and their times are in {}\n", truth);
  return write_table(phase_table(outcomes), output);
}

/// MPI-IO is for ranks: alone it would measure one task, whatever --tasks says.
Result<void> launched_for(const Options& given) {
  if (given.interface != word(BenchInterface::mpiio) || find_launcher(process_environment())) return {};
  return Error{ErrorKind::usage, fmt::format("benchmarking with MPI-IO: this process was not started by an MPI launcher; start it as\n"
                                             "  mpiexec -n {} fathom bench --interface mpiio {}",
                                             given.parameters.tasks, given.paths.empty() ? "DIR" : given.paths.front())};
}

/// Files as they are, and of directories every .csv below them.
Result<std::vector<std::string>> truth_files(const Options& given) {
  std::vector<std::string> files, named = given.truth;
  named.insert(named.end(), given.paths.begin(), given.paths.end());
  for (const std::string& path : named) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator at(path, problem), end; !problem && at != end; at.increment(problem))
      if (at->path().extension() == ".csv") found.push_back(at->path().string());
    if (problem) return Error{ErrorKind::unreadable, fmt::format("looking for truth files in {}: {}", path, problem.message())};
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  if (files.empty()) return Error{ErrorKind::usage, "verifying counters: name the truth of the benchmark's runs with --truth FILE|DIR"};
  return files;
}

Result<void> run_verification(const Options& given, const OutputOptions& output, const LinkedVolumesOf& linked) {
  TRY(const std::vector<std::string> files, truth_files(given));
  std::vector<BenchTruth> truths;
  for (const std::string& file : files) {
    TRY(BenchTruth truth, read_bench_truth(file));
    truths.push_back(std::move(truth));
  }
  TRY(const Verification verification, verify(std::move(truths), linked));
  if (given.summary) return write_table(verification.summary, output);
  if (output.format != "table") return write_table(verification.errors, output);
  return write_text(as_aligned_text(verification.errors) + "\nmean absolute error\n" + as_aligned_text(verification.summary), output);
}

/// What each way of linking gives every job of a store.
class LinkedVolumesOfStore {
 public:
  explicit LinkedVolumesOfStore(std::string path) : path_(std::move(path)) {}

  Result<LinkedVolumes> operator()(std::string_view job_id, std::string_view link) {
    auto known = by_link_.find(std::string(link));
    if (known == by_link_.end()) {
      StudyArguments arguments;
      arguments.store = path_;
      arguments.link = link;
      TRY(StudyOptions options, study_options(arguments));
      options.every_job = true;
      TRY(const Study study, run_study(arguments, options));
      VolumesById volumes;
      for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i)
        volumes[study.machine.jobs[study.analysis.jobs[i]].id].push_back(
            {study.analysis.measured[i].totals, study.analysis.measured[i].has});
      known = by_link_.emplace(std::string(link), std::move(volumes)).first;
    }
    const auto found = known->second.find(std::string(job_id));
    if (found == known->second.end())
      return Error{ErrorKind::not_found, fmt::format("verifying job {}: the store has no such job with servers and an end", job_id)};
    if (found->second.size() > 1)
      return Error{ErrorKind::unsupported,
                   fmt::format("verifying job {}: the store has {} jobs of this id, and a truth file does not say which of them it is",
                               job_id, found->second.size())};
    return found->second.front();
  }

 private:
  using VolumesById = std::map<std::string, std::vector<LinkedVolumes>>;  // batch systems use ids again
  std::string path_;
  std::map<std::string, VolumesById> by_link_;
};

Result<void> run_verification_of_store(const Options& given, const OutputOptions& output, const Ranks& ranks) {
  if (ranks.size() > 1)
    return Error{ErrorKind::usage, "verifying counters: one process does it; start `fathom bench --verify` without mpiexec"};
  auto linked = std::make_shared<LinkedVolumesOfStore>(given.verify);
  return run_verification(given, output, [linked](std::string_view job_id, std::string_view link) { return (*linked)(job_id, link); });
}

Result<void> run(const Options& given, const OutputOptions& output) {
  if (!given.verify.empty()) return on_ranks([&](Ranks& ranks) { return run_verification_of_store(given, output, ranks); });
  TRY_VOID(launched_for(given));
  const bool by_mpi = given.interface == word(BenchInterface::mpiio);
  return on_ranks([&](Ranks& ranks) { return run_benchmark(given, output, ranks); },
                  by_mpi ? Ranks::Mpi::always : Ranks::Mpi::when_launched);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  BenchParameters& parameters = options->parameters;
  line.add_option("DIR", options->paths, "where the benchmark's files go, made if missing; with --verify: more truth files");
  line.add_option("--tasks", parameters.tasks, "how many processes to start (default 4); under mpiexec as many as it starts")
      .type_name("N");
  const auto size =
      line.add_option("--size", options->size, "bytes of each request, such as 4096, 4K or 1M (default 1M)").type_name("BYTES");
  line.add_option("--random-max", options->random_max, "requests of random sizes from 1 to this many bytes")
      .excludes(size)
      .type_name("BYTES");
  line.add_option("--count", parameters.count, "requests of each task in each direction (default 16)").type_name("N");
  line.add_option("--layout", options->layout, "task-local (default): a file for each task; shared: one file for all")
      .one_of({"shared", "task-local"})
      .type_name("LAYOUT");
  line.add_option("--interface", options->interface, "posix (default) or mpiio").one_of({"posix", "mpiio"}).type_name("INTERFACE");
  line.add_option("--seed", parameters.seed, "the same seed gives the same sizes and bytes (default 1)").type_name("N");
  line.add_option(
          "--truth", options->truth,
          "where the calls and their times are written (default DIR/bench-truth.csv); with --verify: a truth file, or a directory of them")
      .one_value_at_a_time()
      .type_name("FILE");
  line.add_flag("--keep", options->keep, "leave the data files where they are");
  line.add_flag("--sync", parameters.sync, "fsync every file before it is closed");
  line.add_option("--pause", parameters.pause_seconds, "seconds to wait between writing and reading (default 0)").type_name("S");
  line.add_option("--verify", options->verify, "compare the counters of this store with the truth instead of running").type_name("STORE");
  line.add_flag("--summary", options->summary, "with --verify: only the mean absolute error of each way of linking");
  auto output = add_output_options(line);
  return [options, output] { return run(*options, *output); };
}

}  // namespace

namespace commands {
extern const Command bench;
constinit const Command bench{
    .name = "bench",
    .summary = "Do I/O that is known call by call, to verify what counters say about jobs",
    .details = R"(Each task opens its file, writes all its requests, closes it, opens it again, reads everything back, compares every byte
with what was written, and closes it. Every call is written to the truth file with its times. A table of both phases is printed.

Under mpiexec or srun every rank is a task. With --interface mpiio a shared file is opened, written and read by all tasks
together (collective calls), a file of a task's own by that task alone.

--verify STORE compares. Run the benchmark as batch jobs, ingest the counters and the job log, then give the truth files:
for every run and every way of linking counters to jobs (weighted, simple, discard, double-count) the error of bytes read
(BR), read commands (RdC), bytes written (BW), write commands (WC), open (OC) and close commands (CC), as (counted - true) / true.
A truth file knows its job from the batch system's environment; elsewhere add a line '# job_id: ID' to it.)",
    .examples = R"(  fathom bench /scratch/me --tasks 8 --size 64K --count 1000
  fathom bench /scratch/me --layout shared --random-max 512K --pause 120 --truth run1.csv
  mpiexec -n 128 fathom bench --interface mpiio --layout shared /scratch/me
  fathom bench --verify store --truth run1.csv --truth run2.csv)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
