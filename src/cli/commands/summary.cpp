// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/talk.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "job_summary/job_summary.h"

namespace fathom {
namespace {

struct Options {
  std::shared_ptr<StudyArguments> study;
  std::string machine, format = "text", file;
  bool anew = false;
  CommandOption min_runtime;
};

/// The site's jobs, with what the store keeps of them; not the one that is asked for, which the filters may leave out. A short job is not
/// measured by long ones alone: where nobody asked for another limit, those that ran as long as it count too.
Result<Study> study_of_all(const Options& given, const Job& job) {
  StudyArguments about = *given.study;
  about.jobs.clear();
  if (!given.min_runtime.given()) about.min_runtime = std::min(about.min_runtime, seconds(job.end - job.start));
  TRY(StudyOptions asked, study_options(about));
  asked.keep = !given.anew;
  return run_study(about, asked);
}

Result<void> run(const Options& given) {
  if (given.study->jobs.size() != 1)
    return Error{ErrorKind::usage, "summary: it is about one job: give --job once\nTry: fathom summary --help"};
  TRY(const StudyOptions asked, study_options(*given.study));
  if (asked.thresholds.size() > 1 || asked.small.size() > 1)
    return Error{ErrorKind::usage, "summary: one --threshold and one --small\nTry: fathom summary --help"};
  TRY(const Study own, run_study(*given.study, asked));
  if (own.analysis.jobs.empty())
    return Error{ErrorKind::not_found, fmt::format("summing up job {}: nothing was measured of it in {} (it has no servers or no end)",
                                                   given.study->jobs.front(), given.study->store)};
  const std::size_t runs = own.analysis.jobs.size();
  if (runs > 1) tell("{} runs have this id; the last one is shown\n", runs);
  TRY(const Study all, study_of_all(given, own.machine.jobs[own.analysis.jobs.back()]));
  JobSummary summary = summarise(own, runs - 1, all);
  summary.machine = given.machine;
  const OutputOptions output{.format = given.format, .file = given.file};
  if (given.format == "json")
    return write_text(summary_json(summary).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", output);
  return write_text(given.format == "html" ? summary_page(summary) : summary_text(summary), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Options>();
  given->study = add_study_options(line);
  line.option("--job").description("the job").required();
  given->min_runtime = line.option("--min-runtime");
  given->min_runtime.description(
      "compare with jobs that ran so many seconds or more (default 3600, or as long as the job where that is less)");
  line.add_option("--machine", given->machine, "the machine's name, for the heading; the site's configuration can say it")
      .type_name("NAME");
  line.add_flag("--no-keep", given->anew, "compute the other jobs anew and leave the store as it is");
  line.add_option("--format", given->format, "text (default), html or json").one_of({"text", "html", "json"}).type_name("FORMAT");
  line.add_option("-o,--output", given->file, "write to this file instead of standard output").type_name("FILE");
  return [given] { return run(*given); };
}

}  // namespace

namespace commands {
extern const Command summary;
constinit const Command summary{
    .name = "summary",
    .summary = "One page about a job: its I/O, beside others and earlier runs, and what to change",
    .details =
        R"(For a mail when a job has ended (share/slurm/epilog-summary.sh does that with Slurm), at most 80 columns and 60 lines as text. Volumes
have the band of what may be the job's own; values are explained in words and compared with the jobs of the store that pass the filters
(`more than 87 %`: so many of them have less; they ran an hour or more, or as long as the job where that is less), and with the median of earlier runs of the same user, job name and node count. Up to three
notices say what to change, each with the numbers behind it; then how it was measured, and what counters cannot tell.

Values of the other jobs are taken from the store where they are up to date, and kept there otherwise (--no-keep: not).)",
    .examples = R"(  fathom summary store --job 1782577
  fathom summary store --job 1782577 --format html -o job.html)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
