// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/population_options.h"
#include "cli/study_options.h"
#include "population/report_data.h"
#include "web/report_page.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<StudyArguments> study;
  std::shared_ptr<PopulationArguments> population;
  std::string title, file;
};

std::string name_of_store(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

Result<void> run(const Options& given) {
  TRY(const PopulationOptions population, population_options(*given.population));
  StudyArguments about_all = *given.study;
  about_all.jobs.clear();  // the report is about all jobs; those that are named are marked in it
  TRY(StudyOptions asked, study_options(about_all));
  asked.distribution = true;
  TRY(const Study study, run_study(about_all, asked));
  tell_about(study);
  ReportOptions options;
  options.store_name = name_of_store(given.study->store);
  options.title = given.title.empty() ? fmt::format("I/O of the jobs in {}", options.store_name) : given.title;
  options.version = FATHOM_VERSION;
  options.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  options.peak = population.peak;
  options.selection = population.selection;
  options.selection.named = given.study->jobs;
  const std::string json = report_data(study, options, nlohmann::ordered_json::array()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string page = report_page(json);
  TRY_VOID(write_text(page, {.format = "html", .file = given.file}));
  fmt::print(stderr, "wrote {} ({}): open it in a browser\n", given.file, human_bytes(static_cast<double>(page.size())));
  return {};
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->study = add_study_options(app, population_defaults());
  app.get_option("--job")->description("mark this job in the plots, and list it among the selected ones; may be given several times");
  options->population = add_population_options(app);
  app.add_option("--title", options->title, "the heading of the page")->type_name("TEXT");
  app.add_option("-o,--output", options->file, "the file to write")->required()->type_name("FILE");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command report;
constinit const Command report{
    .name = "report",
    .summary = "One HTML file with the plots and tables about all jobs",
    .details = R"(The page holds everything it needs, data included: it can be mailed, archived and printed. It shows what `fathom population` tells, with
plots: reading against writing, distributions, thresholds, request sizes, servers. Jobs are binned, so the page stays small.)",
    .examples = R"(  fathom report store -o report.html
  fathom report store --peak 66G --job 1782577 -o report.html)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
