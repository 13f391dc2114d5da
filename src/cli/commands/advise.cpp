// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/output.h"
#include "cli/recorded_advice.h"
#include "cli/replay_advice.h"
#include "cli/slurm_advice.h"
#include "cli/store_advice.h"
#include "store_advice/known_applications.h"

namespace fathom {
namespace {

std::function<Result<void>()> declare(CommandLine& line) {
  auto job = add_store_advice_options(line);
  auto replay = add_replay_options(line);
  auto slurm = add_slurm_advice_options(line);
  auto advice = add_advice_options(line);
  auto output = add_output_options(line);
  return [job, replay, slurm, advice, output]() -> Result<void> {
    if (slurm->slurm && replay->replay) return Error{ErrorKind::usage, "advising: --slurm and --replay exclude each other"};
    if (!slurm->slurm && (slurm->dry_run || slurm->once || slurm->learn))
      return Error{ErrorKind::usage, "advising: --dry-run, --once and --learn go with --slurm"};
    if (slurm->slurm && (!job->user.empty() || !job->name.empty() || job->nodes != 0))
      return Error{ErrorKind::usage, "advising: --slurm asks for all jobs of the queue, not for one"};
    if (slurm->slurm) return advise_slurm(job->store, *slurm, *advice);
    if (!replay->replay) return advise_from_store(*job, *advice, find_in_knowledge_base(), *output);
    if (job->store.empty()) return replay_advice(*replay, *advice, *output);
    if (replay->table != "policies" && replay->table != "runs")
      return Error{ErrorKind::usage, "advising: of a store's own log --replay has the tables policies and runs"};
    return replay_recorded(job->store, *replay, *advice, *output);
  };
}

}  // namespace

namespace commands {
extern const Command advise;
constinit const Command advise{
    .name = "advise",
    .summary = "Run or delay: advice for a job, and what it does to the jobs of a machine",
    .details =
        R"(For a job that could start: `run`, or `delay` with the reason. What its application does is known from fathom mine, how busy servers are from the last 20 minutes of
counters (fathom load). Applications of which nothing is known run; nobody is delayed for longer than --max-delay.

With --replay: what advice would do over days of a synthetic machine on which bursts of jobs get in each other's way, against first come first served and against bandwidth handed
out as a licence (tokens: all of a file system's bandwidth; tokens_quarter: a quarter of it). The work is the same for each. I/O jobs are those with a periodic pattern; slowdown is their I/O time
against the same I/O alone. The policy sees counters, starts, ends, and patterns as a miner would know them, not the future. Machines of training have other seeds.

With STORE --replay: what would have been advised when each job of a known application started, from the counters up to then, and how long its bursts then took against the shortest of the same application. What is known of
applications is what was mined from the whole log.

With --slurm: a daemon. Jobs of known applications begin when advice says `run`: job_submit.lua (share/fathom/slurm) lets them begin a minute after their submission, this program looks at
every job that waits, frees it or moves its begin on, and writes the reason into AdminComment. If this program or its counters fail, jobs begin by themselves. It takes the log of jobs from sacct and mines it now and
then. docs/advice.md says how to install it.

--table trials is the paper's experiment: advice is noted, the job started in any case, and the slowdown of those with `run` compared with those with `delay`. docs/advice.md says what
was seen.)",
    .examples = R"(  fathom advise store --user bob --name climate.x --nodes 64
  fathom advise store --user bob --name climate.x --nodes 64 --at 2015-03-20T12:00 --impact 1.2
  fathom advise store --slurm --dry-run
  fathom advise store --slurm --state /var/lib/fathom/slurm --max-delay 900
  fathom advise store --replay --since 2015-03-20
  fathom advise --replay
  fathom advise --replay --seeds 10 --days 30 --impact 1.2
  fathom advise --replay --table trials --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
