// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"

namespace fathom::simulate {
namespace {

std::string text() {
  return R"(# Every key of a scenario. What is left out has the value that stands here, but for the lists: io_nodes, increment and job.
# Sizes are bytes or texts like "4 MiB", bandwidths bytes per second or texts like "850 MiB/s" and "10 Gbit/s",
# times seconds or texts like "2 min".

# The architecture to compare with: a preset, or the path of another scenario beside this one, of which only the
# architecture is used. Without this key the work runs once and is compared with itself.
original = "jugene"

# Groups of I/O nodes, numbered from 0 on. With --store the servers take them in the order of their names.
# Without any: one I/O node, or with --store as many as there are servers, with 128 compute nodes each.
[[io_nodes]]
count = 4
compute_nodes = 128

# Turns increments into requests: N operations on S bytes become N requests of S / N bytes at the start of the interval, dealt
# round robin to the compute nodes. missing_operations is for a store that has bytes and no operations: "error", or
# "fill_buffers" for as many requests as fill CIOD buffers.
[generator]
missing_operations = "error"
)" + component_tables({}, true) +
         R"(
# Work, unless --store is given. An increment is what an I/O node did in an interval.
[[increment]]
nodes = [0, 3]             # from 0 to 3; a single number for one; left out: all
start = 0                  # since the scenario's start
length = "2 min"           # of the interval
repeat = 3                 # so many intervals, one after the other
read_bytes = 0
read_operations = 0
write_bytes = "1 GiB"
write_operations = 4096

# What things cost, and how much can be written into a burst buffer until it is worn out. There are no usual prices: without
# them the columns cost, pareto and years_until_worn_out of --sweep are empty. Take the # away and write your own.
#[cost]
#currency = "EUR"           # a word for people
#external_bandwidth = 0     # price of 1 Gbit/s of external bandwidth, for one I/O node
#burst_buffer = 0           # price of 1 GiB of burst buffer
#endurance_bytes = "600 TB" # that can be written into the burst buffer of one I/O node; or as data sheets say it:
#drive_writes_per_day = 1   # so many times full a day,
#warranty_years = 5         # for so long

# Jobs own I/O nodes from start to end. Without any, one job named `all` has all increments.
[[job]]
id = "checkpoints"
nodes = [0, 3]
start = 0
end = "10 min"
)";
}

}  // namespace

namespace presets {
extern const Preset template_with_every_key;
constinit const Preset template_with_every_key{.name = "template", .summary = "every key of a scenario with its meaning", .text = text};
}  // namespace presets
}  // namespace fathom::simulate
