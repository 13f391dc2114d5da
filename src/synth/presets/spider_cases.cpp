// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_logs.h"

namespace fathom {
namespace {

constexpr titan::SpiderVariant cases{.cases = true};

}  // namespace

extern const SynthPreset spider_cases;
constinit const SynthPreset spider_cases{
    .name = "spider-cases",
    .summary = "The machine spider with applications whose patterns are hard to find, or seem to be there and are not",
    .details =
        "The preset spider, and 18 applications more of the user `casetest`, each hard in one way, two or more of each kind: runs between "
        "1 and 40 times as long as the "
        "shortest (`length_1_to_40`), a checkpoint and output for analysis with periods of their own in one run (`two_patterns`), a period "
        "that grows by 10 % during a run "
        "(`drift_10`), I/O off in 35 % of the runs (`off_half`), small jobs without I/O that run only inside long runs of another "
        "application and see its "
        "pattern (`piggy_long`), three runs in four weeks (`few_runs`), nothing but the nodes and run lengths of IOR_A (`silent_like`), "
        "and bursts that read (`reader`). "
        "Have four weeks of it (`--days 28`).\n\n"
        "`truth/applications.csv` has four columns more, `pattern,direction,drift,host`, and a second row for a second pattern; "
        "`truth/bursts.csv` says which pattern a burst "
        "belongs to, `truth/jobs.csv` beside which job a small one ran. The whole list and its reasons are in docs/synthetic-spider.md.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return titan::write_logs(cases, options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return titan::deliver(cases, options, harvest); }};

}  // namespace fathom
