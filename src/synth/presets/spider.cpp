// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_logs.h"

namespace fathom {

extern const SynthPreset spider;
constinit const SynthPreset spider{
    .name = "spider",
    .summary = "A Lustre file system that all jobs share: 1,008 OSTs read every 10 s, and a Slurm job log",
    .details =
        "Imitates Spider, the file system of Titan, as Liu, Gunasekaran, Ma and Vazhkudai describe it (\"Server-side Log Data Analytics "
        "for I/O Workload "
        "Characterization and Coordination on Large Shared Storage Systems\", SC 2016): two partitions, `atlas1` and `atlas2`, of 504 OSTs "
        "each, and the running totals of "
        "bytes read and written of every OST on a 10 s grid, in one `counters-<partition>-<day>.csv` per day and partition. Nothing in "
        "them says which job moved what. "
        "`sacct.txt` is the job log of 18,688 nodes with backfill: about 1,200 jobs a day of some thousand applications (user, job name, "
        "node count).\n\n"
        "Among them are the pseudo-applications IOR_A to IOR_H of the paper's Table III (17 runs each in the default seven days, 1 to 5 of "
        "them with I/O off; other "
        "lengths of log have runs in proportion, one at least), applications like those of its Table II, two dozen more with periods of "
        "their own, irregular and "
        "read-heavy ones, and a silent majority. People, nightly backups and purges add traffic that belongs to no job. OSTs stay below 5 "
        "MB/s for about 88 % and below "
        "100 MB/s for about 99.6 % of the time, as in the paper's Figure 1. An OSS fails over now and then (its OSTs count from zero "
        "again) and the collector is down for some minutes.\n\n"
        "Bursts that meet on an OST share it and lose time to seeks; the interval between bursts is compute time plus I/O time and grows "
        "with them. `truth/` has the "
        "applications, jobs and bursts as they were, with their OSTs, and what a perfect reader of the counters can know of the bytes.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return titan::write_logs({}, options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return titan::deliver({}, options, harvest); }};

}  // namespace fathom
