// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_advice.h"

#include <fmt/format.h>

#include <numeric>

#include "advise/trained.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/replay_tables.h"

namespace fathom {
namespace {

Result<Table> the_table(const std::string& name, const std::vector<std::uint64_t>& seeds, const advise::Trained& trained,
                        replay::ExperimentSettings settings, bool for_people) {
  Progress bar("replaying", Progress::Unit::share);
  settings.progress = [&](std::size_t done, std::size_t all) { bar.update(done, all); };
  if (name == "policies" || name == "runs") {
    TRY(const auto runs, compare_policies(seeds, trained, settings));
    return name == "runs" ? policy_rows(runs) : policy_means(runs, for_people);
  }
  TRY(const auto trials, run_against_delay(seeds, trained, settings, name == "trials"));
  return trial_rows(trials);
}

}  // namespace

std::shared_ptr<ReplayArguments> add_replay_options(CommandLine& line) {
  auto given = std::make_shared<ReplayArguments>();
  line.add_flag("--replay", given->replay, "try the policy on the replayed machine, or with STORE on the log that it has");
  line.add_option("--seeds", given->seeds, "replay: so many machines (default 3)").between(1, 1000).type_name("N");
  line.add_option("--seed", given->first_seed, "replay: the first of them (default 1)")
      .between(std::uint64_t{0}, replay::first_training_seed - 2000)
      .type_name("N");
  line.add_option("--days", given->days, "replay: days of each (default 7)").between(0.5, 366.0).type_name("D");
  line.add_option("--table", given->table,
                  "replay: policies (default; means over machines, or by advice), runs (each machine, or each job of STORE), trials (run "
                  "against delay as in the paper, one job at a time), shadow (the same for all known jobs, nobody held)")
      .one_of({"policies", "runs", "trials", "shadow"})
      .type_name("NAME");
  line.add_option("--groups", given->groups,
                  "replay: jobs that are submitted together write to file systems of their own (mixed, as a rule) or all to one (project, "
                  "as a rule for trials)")
      .one_of({"mixed", "project"})
      .type_name("KIND");
  line.add_option("--since", given->since, "replay of STORE: only jobs that started then or later").type_name("T");
  line.add_option("--until", given->until, "replay of STORE: only jobs that started before").type_name("T");
  return given;
}

Result<void> replay_advice(const ReplayArguments& given, const AdviceArguments& advice, const OutputOptions& output) {
  TRY(const advise::Trained trained, advise::weights_of(advice.weights));
  std::vector<std::uint64_t> seeds(given.seeds);
  std::iota(seeds.begin(), seeds.end(), given.first_seed);
  replay::ExperimentSettings settings;
  settings.days = given.days;
  settings.threads = cores();
  settings.one_partition = given.groups.empty() ? given.table == "trials" : given.groups == "project";
  settings.advice = advice.settings();
  TRY(const Table table, the_table(given.table, seeds, trained, settings, output.format == "table"));
  tell("{} of {:g} days, accepted impact {:g}, delayed for at most {:g} s; weights: {}\n", counted(given.seeds, "machine"), given.days,
       advice.impact, advice.max_delay, advise::origin_of(trained, advice.weights));
  return write_table(table, output);
}

}  // namespace fathom
