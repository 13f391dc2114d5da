// SPDX-License-Identifier: Apache-2.0
#include "cli/demo_story.h"

#include <fmt/format.h>

#include "cli/traced_jobs.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

/// The job to look at closely: it was traced, so that both sides are known.
Result<Job> traced_job(const Store& store) {
  TRY(const std::vector<TracedJob> traced, traced_jobs(store, {}));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({}));
  TRY(const std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  for (const Job& job : jobs)
    if (!traced.empty() && job.id == traced.front().job_id) return job;
  return Error{ErrorKind::not_found, fmt::format("following one job: none of {} was traced", store.path())};
}

}  // namespace

Result<void> follow_one_job(const std::string& folder, const ShowStep& show) {
  const std::string logs = folder + "/logs", path = folder + "/store", scenario = folder + "/burst-buffer.toml";
  TRY_VOID(
      show("First one job, from raw logs to a decision. A small site with Lustre: counters of 12 servers every 10 seconds, for all and for "
           "each job, and the log of jobs.",
           {"synth", "harbour", logs}));
  TRY_VOID(show("Recognise the logs, clean the counters, keep increments and jobs as Parquet. One run was traced; it is linked to its job.",
                {"ingest", path, logs, "--servers", "shared"}));
  TRY_VOID(show("Who is hammering the servers?", {"top", path, "--rows", "6"}));
  TRY_VOID(show("And over the whole half day, by application? `tidal` moves few of the bytes and makes most of the requests.",
                {"top", path, "--by", "application", "--last", "43200"}));
  TRY(const Store store, Store::open(path));
  TRY(const Job job, traced_job(store));
  TRY_VOID(show("How the jobs' I/O is spread, all together:", {"population", path, "--min-runtime", "600"}));
  TRY_VOID(show("One run of it, by its criteria: small requests, in short bursts, on few servers.", {"criteria", path, "--job", job.id}));
  TRY_VOID(show("The same run from both sides on one clock: what its processes wrote, and what reached the servers.",
                {"timeline", path, "--job", job.id, "--both-sides"}));
  TRY_VOID(show("What the program should change, from its trace:", {"trace", "findings", logs + "/traces/" + job.id}));
  TRY_VOID(show("Is it always like this? Look for a rhythm, from the servers' totals and the job log alone:", {"mine", path}));
  TRY_VOID(show("What is known of the application:", {"apps", path, "--app", fmt::format("{}/{}/{}", job.user, job.name, job.nodes)}));
  TRY_VOID(show("What would have been advised when this run began?", {"advise", path, "--user", job.user, "--name", job.name, "--nodes",
                                                                      fmt::format("{}", job.nodes), "--at", format_iso8601(job.start)}));
  TRY_VOID(show("What would 32 GiB of burst buffer in each node have changed? A scenario,",
                {"simulate", "--preset", "harbour-burst-buffer", "-o", scenario}));
  return show("and every call of the trace on both machines:", {"simulate", scenario, "--trace", logs + "/traces/" + job.id});
}

}  // namespace fathom
