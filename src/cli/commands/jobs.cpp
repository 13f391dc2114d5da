// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cli/command.h"
#include "cli/output.h"
#include "store/coverage.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ";") + word;
  return text;
}

Result<void> run(const std::string& path, const OutputOptions& output) {
  TRY(const Store store, Store::open(path));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({.progress_title = "reading the store"}));
  TRY(const std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  TRY(const Coverage coverage, Coverage::of(snapshot, database));
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"servers"},
               {"start", Quantity::time},
               {"end", Quantity::time},
               {"coverage", Quantity::fraction}},
              {}};
  for (const Job& job : jobs) {
    const auto covered = job.end == no_time ? std::nullopt : coverage.share(job.servers, job.start, job.end);
    std::string servers = joined(job.servers);
    if (output.format == "table" && job.servers.size() > 2)
      servers = fmt::format("{} ... {} ({})", job.servers.front(), job.servers.back(), job.servers.size());
    table.rows.push_back({cell(job.id), cell(job.user), cell(job.name), job.nodes == 0 ? Cell{} : cell(job.nodes), cell(servers),
                          cell(job.start), cell(job.end), covered ? cell(*covered) : Cell{}});
  }
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto store = std::make_shared<std::string>();
  line.add_option("STORE", *store, "the store").required();
  auto output = add_output_options(line);
  return [store, output] { return run(*store, *output); };
}

}  // namespace

namespace commands {
extern const Command jobs;
constinit const Command jobs{
    .name = "jobs",
    .summary = "List the jobs of a store",
    .details = R"(The column coverage is the share of the job's server-seconds that were measured: every server of the job, from its start
to its end; gaps are not covered. It is empty where no log or map says which servers were the job's own, and while the
job runs.)",
    .examples = R"(  fathom jobs store
  fathom jobs store --format csv -o jobs.csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
