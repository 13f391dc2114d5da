// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compete_model.h"
#include "cli/output.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<ModelArguments> model;
  std::shared_ptr<OutputOptions> output;
};

Result<void> run(const Options& given) {
  if (given.model->file.empty()) return Error{ErrorKind::usage, "comparing applications: name their description with --model FILE.toml"};
  return compete_by_model(*given.model, *given.output);
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->model = add_model_options(app);
  options->output = add_output_options(app);
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command compete;
constinit const Command compete{
    .name = "compete",
    .summary = "Applications that share a file system: how long each takes beside the others, and what if",
    .details = R"(Predicts the run time of I/O that runs side by side from what it takes alone. Every process (or node) that is active has an equal
share of the bandwidth; whoever ends leaves its share to the others. Any number of applications, amounts and starts; exact, from event to event.
The model, its derivation and what it misses: docs/competition.md. The description is a TOML file:

  bandwidth = 100e6          # bytes per second for all together; or [[1, 88e6], [60, 58e6]]: by the
                             # number of writing processes, straight lines in between;
                             # or per_application = true: each has what it reaches alone (standalone)
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
    .examples = R"(  fathom compete --model examples/competition/private-12-60.toml
  fathom compete --model examples/competition/private-12-60.toml --what-if big.start=+300
  fathom compete --model examples/competition/three-jobs.toml --what-if backup.absent --what-if solver.processes=256
  fathom compete --model examples/competition/private-12-60.toml --standalone --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
