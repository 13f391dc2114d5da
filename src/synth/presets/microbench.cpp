// SPDX-License-Identifier: Apache-2.0
#include "synth/microbench.h"

namespace fathom {

extern const SynthPreset microbench;
constinit const SynthPreset microbench{
    .name = "microbench",
    .summary = "two I/O nodes of a Blue Gene on which the 40 tests of the verification benchmark run back to back",
    .details =
        "The test series of El Sayed Mohamed, \"Analysis of I/O Requirements of Scientific Applications\" (dissertation, Wuppertal 2017, "
        "IAS "
        "Series 37, section 4.4.1, Tables 4.4 to 4.7), each test a job of its own: POSIX and MPI-IO, task-local and shared files, seven "
        "request "
        "sizes on 32 nodes (one I/O node) and three on 64 (two), four processes per node; other jobs with modest I/O run before, between "
        "and "
        "after. Jobs follow each other within 30 to 90 s, so that many of the 120 s samples hold two jobs. `truth/bench/ID.csv` is what "
        "`fathom bench` would have written for that job; `fathom bench --verify` compares. docs/synthetic-microbench.md says what is "
        "imitated "
        "and from where. About 10 hours of logs; with --days the series is repeated.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return write_microbench(options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return deliver_microbench(options, harvest); }};

}  // namespace fathom
