// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_logs.h"

namespace fathom {

extern const SynthPreset harbour;
constinit const SynthPreset harbour{
    .name = "harbour",
    .summary =
        "a small site with Lustre: 12 OSTs read every 10 s with counters per job, half a day, a checkpoint writer with one traced run",
    .details =
        "A site as many are, seen from both sides. 96 compute nodes; one Lustre file system of 12 OSTs on three servers. `ost-stats.txt` "
        "and `job-stats.txt` are what "
        "`lctl get_param obdfilter.*.stats obdfilter.*.job_stats` prints, every 10 s from 2024-03-04 06:00 UTC on; `sacct.txt` is Slurm's "
        "log of jobs. Six applications run again and again: `tidal` of user "
        "`oc12`, which writes checkpoints; `climate`, which writes much and well; three that read or write now and then; one that does "
        "neither. What people do by hand on login nodes, and small requests everywhere, carry no job's name.\n\n"
        "`tidal` is the one to find: 32 ranks on four nodes write 47,008 bytes at a time into one shared file that lies on two OSTs, all "
        "at once, every four minutes. Its model is call by call: neighbouring blocks belong to different nodes, "
        "so each call becomes a request of whole pages and pages on borders are written twice; requests leave the nodes 0.3 to 0.7 s after "
        "their call and wait for the OST, which does 55 MB/s of such. At its start every rank reads the same input, "
        "which reaches each node once. So the two sides differ as they do in life: in bytes, in requests and in time. One run, in the "
        "middle of the log, was traced: `traces/JOB` is a folder as `fathom run` writes it. "
        "Jobs do not slow each other down here; `spider` is the machine for that. Users, applications and rates are made up; formats are "
        "those of Lustre 2.12 and Slurm.\n\n"
        "`truth/traffic.csv` has what every job did to every OST in every step of 10 s, `truth/jobs.csv` the same in all, "
        "`truth/both_sides.csv` and `truth/traced.csv` the traced run on clients and servers, `truth/applications.csv` the "
        "rhythm of `tidal`. With `--into` there is no trace. Logs of half a day are some 60 MB.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return quayside::write_logs(options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return quayside::deliver(options, harvest); }};

}  // namespace fathom
