// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/population_options.h"
#include "cli/population_page.h"
#include "cli/study_options.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<StudyArguments> study;
  std::shared_ptr<PopulationArguments> population;
  std::shared_ptr<OutputOptions> output;
  std::string table;
};

Result<void> run(const Options& given, Ranks& ranks) {
  TRY(const PopulationOptions options, population_options(*given.population));
  TRY(StudyOptions asked, study_options(*given.study));
  asked.distribution = true;
  TRY(const Study study, run_study(*given.study, asked, &ranks));
  if (ranks.rank() != 0) return {};
  if (given.table.empty() && given.output->format == "table") return write_text(population_page(study, options), *given.output);
  tell_about(study);
  for (const PopulationTable& table : population_tables()) {
    if (table.name != (given.table.empty() ? "distributions" : given.table)) continue;
    TRY(const Table rows, table.make(study, options));
    return write_table(rows, *given.output);
  }
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->study = add_study_options(line, population_defaults());
  options->population = add_population_options(line);
  std::vector<std::string> names;
  std::string text = "only this table, in any format:";
  for (const PopulationTable& table : population_tables()) {
    names.emplace_back(table.name);
    text += fmt::format("{} {} ({})", names.size() > 1 ? "," : "", table.name, table.what);
  }
  line.add_option("--table", options->table, text).one_of(names).type_name("NAME");
  options->output = add_output_options(line);
  return [options] { return on_ranks([&](Ranks& ranks) { return run(*options, ranks); }); };
}

}  // namespace

namespace commands {
extern const Command population;
constinit const Command population{
    .name = "population",
    .summary = "The I/O of all jobs together: distributions, 80 % values, jobs worth a look",
    .details =
        R"(Sentences and tables about the jobs as a population. An 80 % value is the smallest value that at least 80 % of the jobs do not
exceed; `top 20 % have` is what the ceil(0.2 n) largest jobs have of the sum. Maxima are taken from samples that lie wholly inside
a job (*_max_inner); a job without one is left out there and counted. I/O intensity on operations with threshold 0 is not
among the values: it is computed for single jobs only.

With --format csv, json or parquet: one row for each distribution, in plain units, with the columns criterion, key, x, threshold,
small, n, zeros, undefined, min, median, p80, mean, sd, max, top20_share. --table names another table. How to read
them: docs/population.md.)",
    .examples = R"(  fathom population store
  fathom population store --peak 66G --require-io both
  fathom population store --format csv -o distributions.csv
  fathom population store --table table2 --format csv)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
