// SPDX-License-Identifier: Apache-2.0
#include "synth/blue_gene.h"

namespace fathom {
namespace {

BlueGene machine() {
  BlueGene small;
  small.filesystems = {"work", "home"};
  small.cluster = "small.gpfs";
  small.jobs_per_day = 45;
  small.workload.applications = 30;
  small.workload.longest_hours = 5;
  small.workload.most_nodes = 1024;
  small.workload.has_small_partitions = false;
  small.faults = {.resets = 4,
                  .restarts = 4,
                  .masked_restarts = 5,
                  .gaps = 4,
                  .dead_nodes = 1,
                  .lost_samples = 6,
                  .duplicates = 6,
                  .late = 6,
                  .nothing_mounted = 3,
                  .unmounts = 3,
                  .reset_at_begin = 0.25,
                  .near_wrap = 0.7};
  return small;
}

}  // namespace

extern const SynthPreset small;
constinit const SynthPreset small{
    .name = "small",
    .summary = "one rack of a Blue Gene for tests: 8 I/O nodes, two file systems, one day, every kind of fault",
    .details =
        "The same model as jugene on two midplanes (R00-M0, R00-M1; ion-R00-M0-0 to ion-R00-M1-3) with the file systems work and home, "
        "about 40 jobs a day, and faults so often that a day of logs (about 2.5 MB) holds each kind: explicit resets, restarts that show "
        "and "
        "restarts that do not, 32-bit wraps, gaps, lost samples, duplicates, late lines, dead-node and _rc_ 1 lines, unmounts.",
    .write_logs = [](const SynthOptions& options, const std::string& directory) { return write_logs(machine(), options, directory); },
    .deliver = [](const SynthOptions& options, Harvest& harvest) { return deliver(machine(), options, harvest); }};

}  // namespace fathom
