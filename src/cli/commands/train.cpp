// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "advise/trained.h"
#include "advise/training_file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/trained_on_store.h"
#include "replay/experiment.h"

namespace fathom {
namespace {

struct Arguments {
  std::string input, runs_file, file;
  bool simulated = false;
  std::size_t seeds = 10;
  double days = 30, window = 300;
  std::size_t windows = 4;
  advise::Bands bands;
};

Result<advise::Trained> learn(const Arguments& given) {
  advise::LoadSettings load;
  load.bands = given.bands;
  load.window_seconds = given.window;
  load.windows = given.windows;
  if (given.simulated) {
    Progress bar("training runs", Progress::Unit::share);
    return replay::train_on_replay(given.seeds, given.days, load, cores(),
                                   [&](std::size_t done, std::size_t all) { bar.update(done, all); });
  }
  std::error_code problem;
  if (std::filesystem::is_directory(given.input, problem)) return train_on_store(given.input, load, given.runs_file);
  if (!given.runs_file.empty())
    return Error{ErrorKind::usage, fmt::format("training: --runs-out is for stores, and {} is none", given.input)};
  TRY(LineInput input, LineInput::open(given.input));
  TRY(const std::vector<advise::TrainingPoint> points, advise::read_training_runs(input));
  return advise::train(points, load, fmt::format("training runs of {}", given.input));
}

void tell_about(const advise::Trained& trained) {
  std::size_t borrowing = 0;
  for (const advise::ThresholdCell& cell : trained.thresholds.cells) borrowing += cell.borrowed();
  tell("{}; normalised I/O time differs from the score by {:.2f} on average; {} of {} borrow from neighbours\n",
       counted(trained.points, "training point"), trained.mean_deviation, borrowing, counted(trained.thresholds.cells.size(), "cell"));
}

Result<void> run(const Arguments& given) {
  if (given.simulated == !given.input.empty())
    return Error{ErrorKind::usage, "training: give a store, a file of training runs, or --simulated"};
  if (given.simulated && !given.runs_file.empty())
    return Error{ErrorKind::usage, "training: --runs-out is for stores, not for --simulated"};
  TRY(const advise::Trained trained, learn(given));
  tell_about(trained);
  OutputOptions output;
  output.file = given.file;
  return write_text(as_toml(trained), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->input, "the store with counters, jobs and what was mined of them, or a file with training runs (CSV)");
  line.add_flag("--simulated", given->simulated, "instead: training runs on the replayed machine");
  line.add_option("--seeds", given->seeds, "of the replayed machine, so many (default 10)").between(1, 1000).type_name("N");
  line.add_option("--days", given->days, "of each (default 30)").between(0.5, 366.0).type_name("D");
  line.add_option("--band-width", given->bands.width, "bytes per second of a band of throughput (default 30e6)")
      .between(1e3, 1e12)
      .type_name("B");
  line.add_option("--peak", given->bands.peak, "bytes per second of one server at its peak (default 500e6)")
      .between(1e3, 1e12)
      .type_name("B");
  line.add_option("--window", given->window, "seconds of a window of the load table (default 300)").between(1.0, 86400.0).type_name("S");
  line.add_option("--windows", given->windows, "how many of them (default 4)").between(1, 100).type_name("N");
  line.add_option("--runs-out", given->runs_file, "write the training runs of STORE there, as such a file").type_name("FILE.csv");
  line.add_option("-o,--output", given->file, "write there instead of to standard output").type_name("FILE.toml");
  return [given] { return run(*given); };
}

}  // namespace

namespace commands {
extern const Command train;
constinit const Command train{
    .name = "train",
    .summary = "Weights and thresholds for advice, from a store or from training runs",
    .details =
        R"(Learns from runs whose I/O is known how much longer I/O takes at which load: a weight for each band of throughput (least absolute deviations, never falling with load),
and, by throughput of bursts and I/O-to-compute ratio, how the score and the I/O time go together. The result is a TOML file for --weights of `fathom load` and `fathom advise`.

With a STORE the runs are those of the applications whose patterns fathom mine found: the load of the servers when each started, and how long its bursts then took against the shortest
tenth of the same pattern's. At least 40 such runs are needed. --runs-out writes them down as a file of training runs, from which the same is learned; docs/advice.md says what they cannot tell.

A file of training runs (CSV) has one row for each run and these columns, in any order: throughput (bytes per second of its bursts), io_to_compute, band_0, band_1, ... (fractions of time of the m
least loaded servers of its file system at its start, m being the number of servers that a burst uses; from `fathom load --format csv`), and either normalised (I/O time / I/O time
alone), or io_seconds with alone_seconds, or io_seconds with application: then the shortest of the same application counts as alone. Other columns are passed over.

--simulated makes the runs on the replayed machine (docs/advice.md).)",
    .examples = R"(  fathom train store -o weights.toml
  fathom train store --runs-out runs.csv -o weights.toml
  fathom train runs.csv -o weights.toml
  fathom train --simulated --seeds 4 --days 10 -o weights.toml
  fathom load store --weights weights.toml)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
