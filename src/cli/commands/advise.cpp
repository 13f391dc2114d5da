// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/known_applications.h"
#include "cli/output.h"
#include "cli/replay_advice.h"
#include "cli/store_advice.h"

namespace fathom {
namespace {

std::function<Result<void>()> declare(CLI::App& app) {
  auto job = add_store_advice_options(app);
  auto replay = add_replay_options(app);
  auto advice = add_advice_options(app);
  auto output = add_output_options(app);
  return [job, replay, advice, output]() -> Result<void> {
    if (!replay->replay) return advise_from_store(*job, *advice, find_in_knowledge_base(), *output);
    if (!job->store.empty()) return Error{ErrorKind::usage, "advising: --replay runs on a synthetic machine and takes no STORE"};
    return replay_advice(*replay, *advice, *output);
  };
}

}  // namespace

namespace commands {
extern const Command advise;
constinit const Command advise{
    .name = "advise",
    .summary = "Run or delay: advice for a job, and what it does to the jobs of a machine",
    .details = R"(For a job that could start: `run`, or `delay` with the reason. What its application does is known from fathom mine, how busy servers are from the last 20 minutes of
counters (fathom load). Applications of which nothing is known run; nobody is delayed for longer than --max-delay.

With --replay: what advice would do over days of a synthetic machine on which bursts of jobs get in each other's way, against first come first served and against bandwidth handed
out as a licence (tokens: all of a file system's bandwidth; tokens_quarter: a quarter of it). The work is the same for each. I/O jobs are those with a periodic pattern; slowdown is their I/O time
against the same I/O alone. The policy sees counters, starts, ends, and patterns as a miner would know them, not the future. Machines of training have other seeds.

--table trials is the paper's experiment: advice is noted, the job started in any case, and the slowdown of those with `run` compared with those with `delay`. docs/advice.md says what
was seen.)",
    .examples = R"(  fathom advise store --user bob --name climate.x --nodes 64
  fathom advise store --user bob --name climate.x --nodes 64 --at 2015-03-20T12:00 --impact 1.2
  fathom advise --replay
  fathom advise --replay --seeds 10 --days 30 --impact 1.2
  fathom advise --replay --table trials --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
