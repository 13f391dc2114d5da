// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/output.h"
#include "cli/replay_advice.h"

namespace fathom {
namespace {

std::function<Result<void>()> declare(CLI::App& app) {
  auto replay = add_replay_options(app);
  auto advice = add_advice_options(app);
  auto output = add_output_options(app);
  return [replay, advice, output]() -> Result<void> {
    if (!replay->replay) return Error{ErrorKind::usage, "advising: give --replay"};
    return replay_advice(*replay, *advice, *output);
  };
}

}  // namespace

namespace commands {
extern const Command advise;
constinit const Command advise{
    .name = "advise",
    .summary = "Run or delay: what advice does to the jobs of a machine",
    .details = R"(With --replay: what advice would do over days of a synthetic machine on which bursts of jobs get in each other's way, against first come first served and against bandwidth handed
out as a licence (tokens: all of a file system's bandwidth; tokens_quarter: a quarter of it). The work is the same for each. I/O jobs are those with a periodic pattern; slowdown is their I/O time
against the same I/O alone. The policy sees counters, starts, ends, and patterns as a miner would know them, not the future. Machines of training have other seeds.

--table trials is the paper's experiment: advice is noted, the job started in any case, and the slowdown of those with `run` compared with those with `delay`. docs/advice.md says what
was seen.)",
    .examples = R"(  fathom advise --replay
  fathom advise --replay --seeds 10 --days 30 --impact 1.2
  fathom advise --replay --table trials --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
