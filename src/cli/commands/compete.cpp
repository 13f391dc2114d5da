// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/command.h"
#include "cli/compete_model.h"
#include "cli/compete_runs.h"
#include "cli/output.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<ModelArguments> model;
  std::shared_ptr<RunsArguments> runs;
  std::shared_ptr<OutputOptions> output;
  CommandOption standalone;
};

/// A value of --standalone that was left out is an empty word.
bool is_empty(const std::string& word) { return word.empty() || word == "{}"; }

Result<void> run(const Options& given) {
  std::vector<std::string>& alone = given.runs->standalone;
  if (given.model->file.empty()) {
    if (std::any_of(alone.begin(), alone.end(), is_empty))
      return Error{ErrorKind::usage, "reading --standalone: NAME=DIR or NAME=SECONDS is wanted; without a value it goes with --model"};
    return compete_by_runs(*given.runs, *given.output);
  }
  if (!given.runs->directories.empty())
    return Error{ErrorKind::usage, "comparing applications: either directories of `fathom run` or --model, not both"};
  if (!std::all_of(alone.begin(), alone.end(), is_empty))
    return Error{ErrorKind::usage, "reading --standalone: with --model it has no value: the file has the times"};
  given.model->standalone = given.standalone.given();
  return compete_by_model(*given.model, *given.output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->runs = add_runs_options(line);
  options->model = add_model_options(line);
  options->standalone = line.add_option("--standalone", options->runs->standalone,
                                        "how long the I/O of an application takes alone, NAME=SECONDS, or a run of it alone, NAME=DIR; may "
                                        "be repeated. With --model it has no value, "
                                        "and means the other way round: stand-alone run times from the observed ones")
                            .type_name("[NAME=RUN]")
                            .repeated()
                            .value_may_lack()
                            .excludes("--what-if")
                            .excludes("--segments");
  options->output = add_output_options(line);
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command compete;
constinit const Command compete{
    .name = "compete",
    .summary = "Applications that share a file system: what each got, how long each takes, what if",
    .details =
        R"(With directories: puts the time slices of runs side by side (fathom run --slices). Overlap is the time in which all applications ran, active
overlap the longest run of slices in which every process of all of them moved data; throughput overall and in the active overlap, with ratios
to the first application; spread of bytes per process (relative standard deviation over all processes); whether equal shares per process or per
node explain the shares better; start-up and ending, slowdown against a run alone, and what the model says. How all this is defined:
docs/slices.md. csv, json and parquet have the columns application, processes, active_processes, nodes, start, end, bytes, throughput, ratio, overlap,
active_overlap, overlap_bytes, overlap_throughput, overlap_ratio, share, process_share, node_share, spread, start_up, io_phase, ending, standalone,
slowdown, predicted, relative_error, inferred_standalone, inferred_relative_error; json has them as `applications`, with overlap, spread,
fairness, pairs and notices beside them.

With --model: predicts the run time of I/O that runs side by side from what it takes alone. Every process (or node) that is active has an equal
share of the bandwidth; whoever ends leaves its share to the others. Any number of applications, amounts and starts; exact, from event to event.
The model, its derivation and what it misses: docs/competition.md. The description is a TOML file:

  bandwidth = 100e6          # bytes per second for all together; or [[1, 88e6], [60, 58e6]]: by the
                             # number of writing processes, straight lines in between;
                             # or per_application = true: each as it is alone (standalone)
  share = "process"          # or "node": who has equal shares
  [[application]]
  name = "big"
  processes = 60
  nodes = 5                  # with share = "node"
  volume = 16_777_216_000    # bytes
  start = 0                  # seconds, on any clock
  standalone = 171.1         # seconds it takes alone, with per_application = true
  observed = 203.0           # seconds it took beside the others, if known: gives relative_error

csv, json and parquet have the columns application, processes, volume, start, standalone, concurrent, observed, relative_error; concurrent is
the predicted run time beside the others, relative_error is (concurrent - observed) / observed. With --what-if: the values before and after and
their differences. With --segments: application, begin, end, share, rate. With --standalone: application, processes, start, observed, inferred,
standalone, relative_error.)",
    .examples = R"(  fathom compete small=run1 large=run2
  fathom compete run1 run2 --direction read --trim
  fathom compete small=run1 large=run2 --standalone small=alone1 --standalone large=187.5
  fathom compete run1 run2 run3 --pairs --format csv
  fathom compete --model examples/competition/private-12-60.toml
  fathom compete --model examples/competition/private-12-60.toml --what-if big.start=+300
  fathom compete --model examples/competition/three-jobs.toml \
      --what-if backup.absent --what-if solver.processes=256
  fathom compete --model examples/competition/private-12-60.toml --standalone --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
