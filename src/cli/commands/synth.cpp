// SPDX-License-Identifier: Apache-2.0
#include "synth/synth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/talk.h"
#include "cli/command.h"
#include "cli/ingest_summary.h"
#include "ingest/ingest.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string preset, directory, into;
  std::uint64_t seed = 1, jobs = 0;
  double days = 0;
};

Result<void> write_logs(const SynthPreset& preset, const SynthOptions& options, const std::string& directory) {
  std::error_code problem;
  if (fs::exists(directory) && !fs::is_empty(directory, problem))
    return Error{ErrorKind::unwritable, fmt::format("writing synthetic logs to {}: the directory exists and is not empty", directory)};
  fs::create_directories(fs::path(directory) / "truth", problem);
  if (problem) return Error{ErrorKind::unwritable, fmt::format("creating {}: {}", directory, problem.message())};
  TRY_VOID(preset.write_logs(options, directory));
  // The truth is for comparing, not for ingesting.
  std::ofstream(fs::path(directory) / "truth" / ".fathom-ignore") << "what is really in these logs; not a log itself\n";
  tell("wrote {} to {}; what is really in it is in {}/truth\n", preset.name, directory, directory);
  return {};
}

Result<void> run(const Options& given) {
  const SynthPreset* preset = preset_named(given.preset);
  if (preset == nullptr) {
    std::string names;
    for (const SynthPreset* each : all_presets()) names += fmt::format("\n  {:<14}{}", each->name, each->summary);
    return Error{ErrorKind::usage,
                 fmt::format("making a synthetic machine '{}': there is no such preset; there are:{}", given.preset, names)};
  }
  if (given.directory.empty() == given.into.empty())
    return Error{ErrorKind::usage, "making a synthetic machine: needs a DIR, or --into STORE"};
  SynthOptions options;
  options.seed = given.seed;
  if (given.days > 0) options.days = given.days;
  if (given.jobs > 0) options.jobs = given.jobs;
  Progress progress(fmt::format("making {}", preset->name), Progress::Unit::share);
  options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e6), 1'000'000); };
  if (given.into.empty()) return write_logs(*preset, options, given.directory);
  TRY(const Store store, Store::open_or_create(given.into));
  const std::string name =
      fmt::format("synthetic {} (seed {}{})", preset->name, given.seed, given.days > 0 ? fmt::format(", {} days", given.days) : "");
  TRY(const IngestReport report,
      ingest_from(store, name, "synth", [&](Harvest& harvest) { return preset->deliver(options, harvest); }, {}));
  print_ingest_summary(report);
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  std::vector<std::string_view> names;
  for (const SynthPreset* each : all_presets()) names.push_back(each->name);
  line.add_option("PRESET", options->preset, fmt::format("the machine: {}; any other word lists what they are", fmt::join(names, ", ")))
      .required();
  line.add_option("DIR", options->directory, "where to write the logs: a new or empty directory");
  line.add_option("--seed", options->seed, "the same seed gives the same logs (default 1)").type_name("N");
  line.add_option("--days", options->days,
                  "how many days of logs, a fraction is allowed (default: half a day for harbour, 1 for small, 2 for jugene, 7 for spider "
                  "and its kin, one series of tests for microbench)")
      .above_zero()
      .type_name("D");
  line.add_option("--jobs", options->jobs, "about how many jobs (default: as the machine would run in that time)").type_name("N");
  line.add_option("--into", options->into, "put samples and jobs straight into this store instead of writing logs to DIR")
      .type_name("STORE");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command synth;
constinit const Command synth{
    .name = "synth",
    .summary = "Write the raw logs of a synthetic machine, with the truth beside them",
    .details = R"(Logs in the real formats, with the faults that real logs have, and truth/*.csv with what happened and what of it can
still be known. Deterministic for a seed.)",
    .examples = R"(  fathom synth small logs && fathom ingest store logs && fathom info store
  fathom synth harbour logs                      # the machine of the tour
  fathom synth jugene logs --days 2 --seed 7
  fathom synth spider --into store --days 30)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
