// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/slice_rows.h"
#include "cli/slice_runs.h"
#include "cli/slices_map.h"
#include "compete/page_data.h"
#include "web/report_page.h"

namespace fathom {
namespace {

struct Options {
  std::vector<std::string> directories;
  std::shared_ptr<std::string> direction;
  std::shared_ptr<OutputOptions> output;
  std::string color = "auto", title;
  bool per_process = false, trim = false, map = false;
};

std::string title_of(const std::vector<std::string>& labels) {
  std::string names;
  for (std::size_t i = 0; i < labels.size(); ++i) names += (i == 0 ? "" : i + 1 == labels.size() ? " and " : ", ") + labels[i];
  return "Slices of " + names;
}

Result<void> write_page(const Options& given, const SliceRuns& runs, std::span<const compete::Application> applications) {
  compete::PageOptions options;
  options.title = given.title.empty() ? title_of(runs.labels) : given.title;
  options.version = FATHOM_VERSION;
  options.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  options.direction = direction_named(*given.direction);
  options.trim = given.trim;
  for (std::size_t i = 0; i < runs.profiles.size(); ++i)
    for (const std::string& notice : runs.profiles[i].notices) options.notes.push_back(runs.labels[i] + ": " + notice);
  const bool several = applications.size() > 1;
  const compete::Comparison comparison = several ? compete::compare(applications, {options.direction, given.trim}) : compete::Comparison{};
  options.notes.insert(options.notes.end(), comparison.notices.begin(), comparison.notices.end());
  const auto data = compete::page_data(applications, several ? &comparison : nullptr, options);
  const std::string page = slices_page(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  TRY_VOID(write_text(page, {.format = "html", .file = given.output->file}));
  tell("wrote {} ({}): open it in a browser\n", given.output->file, human_bytes(static_cast<double>(page.size())));
  return {};
}

Result<void> write_rows(const Options& given, std::span<const compete::Application> applications) {
  const SliceRowsOptions options{.trim = given.trim, .brief = given.output->format == "table"};
  std::size_t application = 0, process = 0;
  return write_table_in_parts(
      [&](Table& part) {
        if (application == applications.size()) return false;
        const compete::Application& one = applications[application];
        if (!given.per_process) {
          part = application_slices(one, options);
          ++application;
        } else {
          part = one.profile->processes.empty() ? Table{} : process_slices(one, process, options);
          if (++process >= one.profile->processes.size()) {
            process = 0;
            ++application;
          }
        }
        return true;
      },
      *given.output);
}

Result<void> run(const Options& given) {
  const bool page = given.output->file.ends_with(".html");
  if (page && (given.map || given.per_process || given.output->format != "table"))
    return Error{ErrorKind::usage,
                 fmt::format("writing {}: a page goes with neither --map, --per-process nor --format", given.output->file)};
  if (given.map && (given.per_process || given.output->format != "table"))
    return Error{ErrorKind::usage, "drawing a map: it goes with neither --per-process nor --format"};
  TRY(const SliceRuns runs, read_slice_runs(given.directories));
  TRY(const std::vector<compete::Application> applications,
      compete::prepare(runs.profiles, runs.labels, direction_named(*given.direction)));
  if (page) return write_page(given, runs, applications);
  if (!given.map) return write_rows(given, applications);
  const bool to_file = !given.output->file.empty();
  return write_text(slices_map(applications, direction_named(*given.direction), given.trim, shading_of_output(given.color, to_file),
                               size_of_output(to_file)),
                    *given.output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("DIR", options->directories, "directories that fathom run wrote, one for each application; NAME=DIR gives it a name")
      .required();
  line.add_flag("--per-process", options->per_process, "rows of single processes, for slices in which they did something");
  line.add_flag("--trim", options->trim, "leave out start-up and ending: slices before and after the application's I/O phase");
  options->direction = add_direction_option(line, "both");
  line.add_flag("--map", options->map, "draw processes against time, on one clock for all applications");
  line.add_option("--color", options->color, "for --map: auto (default), always or never")
      .one_of({"auto", "always", "never"})
      .type_name("WHEN");
  line.add_option("--title", options->title, "the heading of the page").type_name("TEXT");
  options->output = add_output_options(line);
  line.option("--output")
      .description("write to this file instead of standard output; FILE.html: a page with maps and throughput over time; parquet needs it");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command slices;
constinit const Command slices{
    .name = "slices",
    .summary = "Time slices of one or more applications: table, map, page",
    .details =
        R"(What applications did to files in each slice of wall-clock time (4 s unless `fathom run --slice` said otherwise). Slices begin at the same
moments on all nodes and in all applications, so they can be put side by side. `active` counts the processes that moved data; `in I/O` is the
time inside calls / (processes x length of a slice). A call that takes longer than a slice has its bytes and its time in all slices it ran in.

With --format csv, json or parquet: application, slice (its number: Unix time / length), start, length, processes, active, then the counters
read_bytes, write_bytes, read_calls, write_calls, opens, other_calls, io_time, read_time, write_time, mpi_read_bytes, mpi_write_bytes, mpi_time,
and read_throughput, write_throughput, io_share. --per-process has process, rank, host, pid instead of processes and active. --trim keeps the I/O
phase: from the first to the last slice in which at least half as many processes moved data (--direction) as in the busiest one.

With -o FILE.html: one page, data included. How to read it: docs/slices.md.)",
    .examples = R"(  fathom slices run1
  fathom slices run1 run2 --map --direction write
  fathom slices small=run1 large=run2 --direction write -o slices.html
  fathom slices run1 --per-process --format csv -o slices.csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
