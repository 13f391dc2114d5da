// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "characterise/annotations.h"
#include "cli/analysis_map_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/population_options.h"
#include "cli/study_options.h"
#include "population/job_report.h"
#include "population/report_data.h"
#include "web/report_page.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<StudyArguments> study;
  std::shared_ptr<PopulationArguments> population;
  std::string title, file;
  bool only_jobs = false;
};

StudyOptions asked_for(StudyOptions options, const std::string& id) {
  options.job_ids = {id};
  return options;
}

std::string name_of_store(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// Two reasons are enough for a heading.
std::string in_brief(const std::vector<std::string>& reasons) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, reasons.size()); ++i) text += (i == 0 ? "" : "; ") + reasons[i];
  return reasons.size() > 2 ? text + fmt::format("; and {} more reasons", reasons.size() - 2) : text;
}

/// A named job first; then selected ones, as many as people look at.
constexpr std::size_t most_job_views = 8;

Result<nlohmann::ordered_json> job_views(const Study& study, const SelectedJobs& selected, const std::vector<std::string>& named) {
  std::vector<const SelectedJob*> chosen;
  for (const bool asked_for : {true, false})
    for (const SelectedJob& job : selected.jobs) {
      const std::string& id = study.machine.jobs[study.analysis.jobs[job.at]].id;
      if ((std::find(named.begin(), named.end(), id) != named.end()) == asked_for &&
          (asked_for || (named.empty() && chosen.size() < most_job_views)))
        chosen.push_back(&job);
    }
  auto views = nlohmann::ordered_json::array();
  Progress progress("looking at jobs", Progress::Unit::share);
  for (const SelectedJob* job : chosen) {
    TRY(const JobView view, look_at(study, job->at));
    TRY(const Annotations declared, declared_for(study, study.machine.jobs[view.job]));
    views.push_back(job_report(study, view, declared, in_brief(job->reasons)));
    progress.update(views.size(), chosen.size());
  }
  return views;
}

Result<void> write_page(const Options& given, const nlohmann::ordered_json& data) {
  const std::string page = report_page(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  TRY_VOID(write_text(page, {.format = "html", .file = given.file}));
  tell("wrote {} ({}): open it in a browser\n", given.file, human_bytes(static_cast<double>(page.size())));
  return {};
}

Result<void> run(const Options& given) {
  TRY(const PopulationOptions population, population_options(*given.population));
  const std::vector<std::string>& named = given.study->jobs;
  if (given.only_jobs && named.empty()) return Error{ErrorKind::usage, "reporting on jobs alone: needs --job ID"};
  StudyArguments about = *given.study;
  if (!given.only_jobs) about.jobs.clear();  // the report is about all jobs; those that are named are marked in it
  TRY(StudyOptions asked, study_options(about));
  asked.distribution = true;
  TRY(Study study, run_study(about, asked));
  tell_about(study);
  ReportOptions options;
  options.store_name = name_of_store(given.study->store);
  options.title = given.title.empty()
                      ? fmt::format("I/O of {} in {}", given.only_jobs ? "job " + named.front() : "the jobs", options.store_name)
                      : given.title;
  options.version = FATHOM_VERSION;
  options.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  options.peak = population.peak;
  options.selection = population.selection;
  options.selection.named = named;
  SelectedJobs selected;
  if (given.only_jobs) {
    for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) selected.jobs.push_back({i, {}});
  } else {
    selected = select_jobs(study, options.selection);
  }
  TRY(nlohmann::ordered_json views, job_views(study, selected, named));
  // Jobs that the filters left out of the population can be looked at all the same.
  for (const std::string& id : named) {
    const bool shown = std::any_of(views.begin(), views.end(), [&](const auto& view) { return view["job_id"] == id; });
    if (shown) continue;
    StudyArguments one = *given.study;
    one.jobs = {id};
    TRY(const Study alone, run_study(one, asked_for(asked, id)));
    SelectedJobs all;
    for (std::size_t i = 0; i < alone.analysis.jobs.size(); ++i) all.jobs.push_back({i, {}});
    TRY(const nlohmann::ordered_json more, job_views(alone, all, {id}));
    for (const auto& view : more) views.push_back(view);
  }
  nlohmann::ordered_json data = report_data(study, options, std::move(views));
  if (given.only_jobs) data["population"] = nullptr;
  return write_page(given, data);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->study = add_study_options(line, population_defaults());
  line.option("--job").description(
      "show this job in detail and mark it in the plots; may be given several times (default: jobs worth a look)");
  options->population = add_population_options(line);
  line.add_flag("--only-jobs", options->only_jobs, "with --job: leave out what is about all jobs");
  line.add_option("--title", options->title, "the heading of the page").type_name("TEXT");
  line.add_option("-o,--output", options->file, "the file to write").required().type_name("FILE");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command report;
constinit const Command report{
    .name = "report",
    .summary = "One HTML file with the plots and tables about all jobs",
    .details =
        R"(The page holds everything it needs, data included: it can be mailed, archived and printed. It shows what `fathom population` tells, with
plots: reading against writing, distributions, thresholds, request sizes, servers; then single jobs with their analysis map and timeline.
Jobs are binned, so the page stays small.)",
    .examples = R"(  fathom report store -o report.html
  fathom report store --peak 66G --job 1782577 -o report.html
  fathom report store --job 1782577 --only-jobs -o job.html)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
