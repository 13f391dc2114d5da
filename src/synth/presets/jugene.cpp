// SPDX-License-Identifier: Apache-2.0
#include "synth/blue_gene.h"

namespace fathom {
namespace {

BlueGene machine() {
  BlueGene jugene;
  jugene.racks = 72;
  jugene.last_rack_by_card = true;
  jugene.filesystems = {"work", "home", "arch"};
  jugene.cluster = "jugene.zam";
  jugene.days = 2;
  jugene.jobs_per_day = 1940;
  jugene.faults = {.resets = 12,
                   .restarts = 10,
                   .masked_restarts = 6,
                   .gaps = 20,
                   .dead_nodes = 3,
                   .lost_samples = 150,
                   .duplicates = 40,
                   .late = 60,
                   .nothing_mounted = 10,
                   .unmounts = 6,
                   .reset_at_begin = 0.25,
                   .near_wrap = 0.03};
  return jugene;
}

}  // namespace

extern const SynthPreset jugene;
constinit const SynthPreset jugene{
    .name = "jugene",
    .summary = "a Blue Gene/P of 72 racks: 600 I/O nodes with GPFS counters every 120 s, about 1,940 jobs a day",
    .details =
        "Imitates JUGENE (Juelich, 2007-2012) as far as two publications describe it: 73,728 compute nodes, 600 I/O nodes, midplane "
        "allocation, "
        "and the I/O of its jobs of an hour or more (sizes, run times, volumes, bandwidths, I/O intensity, burstiness, parallel I/O "
        "intensity). "
        "Sources: El Sayed, Bolten, Pleiter, Frings, \"Parallel I/O Characterisation Based on Server-Side Performance Counters\" (sections "
        "V and VI, "
        "Table II), and El Sayed Mohamed, \"Analysis of I/O Requirements of Scientific Applications\" (dissertation, Wuppertal 2017, IAS "
        "Series 37, "
        "sections 4.2, 4.3, 4.5.1 to 4.5.5). docs/synthetic-jugene.md compares their numbers with ours. "
        "File systems work, home and arch; users, applications and fault rates are made up.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return write_logs(machine(), options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return deliver(machine(), options, harvest); }};

}  // namespace fathom
