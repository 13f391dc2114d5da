// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <algorithm>
#include <cassert>

namespace fathom {
namespace {

using enum ColumnType;

// The counters in the order of model/counters.h.
// clang-format off
#define FATHOM_COUNTERS(prefix, of)                                        \
  ColumnSchema{prefix "read_bytes", number, "bytes read " of},             \
  ColumnSchema{prefix "write_bytes", number, "bytes written " of},         \
  ColumnSchema{prefix "read_ops", number, "read requests " of},            \
  ColumnSchema{prefix "write_ops", number, "write requests " of},          \
  ColumnSchema{prefix "opens", number, "open and create calls " of},       \
  ColumnSchema{prefix "closes", number, "close calls " of},                \
  ColumnSchema{prefix "dirs", number, "directory reads " of},              \
  ColumnSchema{prefix "inode_updates", number, "inode updates " of},       \
  ColumnSchema{prefix "metadata_ops", number, "metadata operations of all kinds " of, 2}
// clang-format on

constexpr ColumnSchema increments_columns[] = {
    {"server", text, "the counted server: I/O node, OST, ..."},
    {"filesystem", text, "the file system; empty for a server's total"},
    {"job", text, "the job tag where the server counts per job (Lustre job_stats); null elsewhere"},
    {"start_time", time, "begin of the interval (UTC, exclusive)"},
    {"end_time", time, "end of the interval (UTC, inclusive); with server, filesystem and job the row's key"},
    FATHOM_COUNTERS("", "in the interval; null where this source does not count them or the interval was not measured"),
    {"flags", number,
     "bits: 1 after a reset in the log, 2 reset inferred, 4 a 32-bit counter wrapped, 8 first interval of a job entry, "
     "16 a file system was unmounted (not measured), 32 a job entry expired (not measured), 64 length is the declared step"},
    {"source", number, "the file that gave the sample at end_time (sources.id)"}};

constexpr ColumnSchema extents_columns[] = {
    {"server", text, "as in increments"},
    {"filesystem", text, "as in increments"},
    {"job", text, "as in increments"},
    {"first_time", time, "first raw sample of a run of samples on one UTC day"},
    {"last_time", time, "last raw sample of the run"},
    {"first_since", time, "when the log says the counters of the first sample began"},
    {"last_since", time, "the same of the last sample"},
    {"traits", number, "bits: 1 amounts per interval, 2 32-bit operation counters, 4 a fall is an unmount, 8 a fall is an expiry"},
    {"joined", number, "1 if an increment links the first sample to the one before it with the same counters"},
    FATHOM_COUNTERS("first_", "as counted at first_time"),
    FATHOM_COUNTERS("last_", "as counted at last_time"),
    {"source", number, "the file that gave the first sample"}};

constexpr ColumnSchema marks_columns[] = {{"server", text, "the server it is about"},
                                          {"filesystem", text, "the file system; empty for all of the server's"},
                                          {"kind", text, "reset: counters were set to zero; visit: all job-tagged counters were read"},
                                          {"t", time, "when (UTC)"},
                                          {"source", number, "the file that told it"}};

constexpr ColumnSchema jobs_columns[] = {{"job_id", text, "the batch system's id; with start_time the row's key"},
                                         {"user_name", text, "who ran it"},
                                         {"name", text, "the job's name"},
                                         {"nodes", number, "compute nodes; null where unknown"},
                                         {"node_list", text, "as the batch system wrote it"},
                                         {"servers", text_list, "storage servers that were the job's own"},
                                         {"submit_time", time, "UTC"},
                                         {"start_time", time, "UTC"},
                                         {"end_time", time, "UTC; null while running"},
                                         {"time_limit_seconds", number, "requested wall time"},
                                         {"state", text, "as the batch system says"},
                                         {"partition_name", text, "queue or partition"},
                                         {"source", number, "the file that told it"}};

constexpr ColumnSchema sources_columns[] = {
    {"id", number, "what increments.source, jobs.source and marks.source mean"},
    {"name", text, "the path as it was given"},
    {"format", text, "which reader read it"},
    {"bytes", number, "its size as stored"},
    {"hash", text, "XXH3 (128 bits) of its bytes: the same file is added once"},
    {"added", time, "when it was ingested"},
    {"shared_servers", number, "1 if its servers are shared by jobs (--servers shared), 0 if exclusive, null if not told"},
    {"lines", number, "lines read"},
    {"samples", number, "samples it gave"},
    {"new_samples", number, "of them new to the store"},
    {"duplicates", number, "of them known already, equal"},
    {"overlapping", number, "samples and jobs for which those of another file are kept, equal or not"},
    {"conflicts", number, "samples at a known time with other values: the larger were kept"},
    {"marks", number, "resets and visits"},
    {"jobs", number, "jobs it gave"},
    {"rejected", number, "lines that could not be used, and samples that contradict another one (conflicts)"},
    {"left_out", number, "records understood and rightly left out"}};

// Values under the names of `fathom criteria`; a test compares them with the criteria's own list.
constexpr ColumnSchema criteria_columns[] = {
    {"job_id", text, "the job"},
    {"start_time", time, "its start (UTC)"},
    {"link", text, "how increments were linked to jobs"},
    {"filesystem", text, "the file system asked for; empty: the sum over all"},
    {"threshold", number, "bytes per second above which a unit is active"},
    {"small", number, "bytes up to which a request is small"},
    {"inputs", text, "hash of all that the values were computed from: a row with another hash is out of date"},
    {"units", number, "servers of the job"},
    {"coverage", real, "share of its unit-seconds that were measured"},
    {"sampling_step", real, "usual time between samples in seconds"},
    {"flags", number, "bits: 1 low_coverage, 2 wide_band, 4 reset, 8 gap, 16 boundary, 32 window"},
    {"other_jobs", number, "jobs that shared increments with it; in a window: that ran meanwhile"},
    {"read_bytes_bound", real, "worst case error of read_bytes"},
    {"write_bytes_bound", real, "worst case error of write_bytes"},
    {"read_bytes", real, "bytes"},
    {"read_bytes_lower", real, "bytes by discard"},
    {"read_bytes_upper", real, "bytes by double-count"},
    {"read_ops", real, "operations"},
    {"read_bw_max", real, "largest bytes per second"},
    {"read_bw_max_inner", real, "the same over increments inside the job"},
    {"read_bw_mean", real, "mean bytes per second"},
    {"read_iops_max", real, "largest operations per second"},
    {"read_iops_max_inner", real, "the same over increments inside the job"},
    {"read_iops_mean", real, "mean operations per second"},
    {"write_bytes", real, "bytes"},
    {"write_bytes_lower", real, "bytes by discard"},
    {"write_bytes_upper", real, "bytes by double-count"},
    {"write_ops", real, "operations"},
    {"write_bw_max", real, "largest bytes per second"},
    {"write_bw_max_inner", real, "the same over increments inside the job"},
    {"write_bw_mean", real, "mean bytes per second"},
    {"write_iops_max", real, "largest operations per second"},
    {"write_iops_max_inner", real, "the same over increments inside the job"},
    {"write_iops_mean", real, "mean operations per second"},
    {"total_bytes", real, "bytes"},
    {"total_bytes_lower", real, "bytes by discard"},
    {"total_bytes_upper", real, "bytes by double-count"},
    {"total_ops", real, "operations"},
    {"total_bw_max", real, "largest bytes per second"},
    {"total_bw_max_inner", real, "the same over increments inside the job"},
    {"total_bw_mean", real, "mean bytes per second"},
    {"total_iops_max", real, "largest operations per second"},
    {"total_iops_max_inner", real, "the same over increments inside the job"},
    {"total_iops_mean", real, "mean operations per second"},
    {"opens", real, "in all"},
    {"closes", real, "in all"},
    {"dirs", real, "in all"},
    {"inode_updates", real, "in all"},
    {"read_intensity", real, "share of time with I/O above the threshold"},
    {"read_small_fraction", real, "share of operations that are small"},
    {"read_mean_request", real, "bytes per operation"},
    {"write_intensity", real, "share of time with I/O above the threshold"},
    {"write_small_fraction", real, "share of operations that are small"},
    {"write_mean_request", real, "bytes per operation"},
    {"total_intensity", real, "share of time with I/O above the threshold"},
    {"total_small_fraction", real, "share of operations that are small"},
    {"total_mean_request", real, "bytes per operation"},
    {"read_share_ops", real, "share of reads by operations"},
    {"read_share_bytes", real, "share of reads by bytes"},
    {"read_burstiness", real, "0 even, 1 bursts"},
    {"read_parallel_intensity", real, "0 one unit at a time, 1 all of them"},
    {"write_burstiness", real, "0 even, 1 bursts"},
    {"write_parallel_intensity", real, "0 one unit at a time, 1 all of them"},
    {"total_burstiness", real, "0 even, 1 bursts"},
    {"total_parallel_intensity", real, "0 one unit at a time, 1 all of them"},
    {"metadata_ops", real, "metadata operations", 2},
    {"metadata_rate_max", real, "largest number of them per second", 2},
    {"metadata_rate_mean", real, "mean number of them per second", 2}};
// Counters under the names of trace_format/slice.h, by which they are looked up.
constexpr ColumnSchema slices_columns[] = {
    {"trace", text, "the folder that `fathom run` wrote, or the Darshan log and the number of its source"},
    {"job_id", text, "the job"},
    {"host", text, "the node the process ran on"},
    {"process", text, "rank N of an MPI program, else pid N; `all ranks`: files that Darshan tells of all ranks together"},
    {"slice", number, "number of the slice: it began `slice * length` seconds after the Unix epoch, on every node"},
    {"length", real, "of a slice, in seconds"},
    {"start_time", time, "begin of the slice, or of the process if that came later (UTC)"},
    {"end_time", time, "end of the slice, or of the process if that came earlier"},
    {"read_bytes", number, "bytes read from files"},
    {"write_bytes", number, "bytes written to files"},
    {"read_calls", number, "reading calls that ended in the slice"},
    {"write_calls", number, "writing calls that ended in the slice"},
    {"opens", number, "files opened"},
    {"other_calls", number, "other calls about files: close, stat, seek, sync, lock, ..."},
    {"io_time", real, "seconds inside calls about files, summed over threads"},
    {"read_time", real, "of them in reading POSIX calls"},
    {"write_time", real, "of them in writing POSIX calls"},
    {"mpi_read_bytes", number, "bytes read by MPI-IO calls"},
    {"mpi_write_bytes", number, "bytes written by MPI-IO calls"},
    {"mpi_time", real, "seconds inside MPI-IO calls"}};
constexpr ColumnSchema bursts_columns[] = {
    {"filesystem", text, "the file system; empty for servers' totals"},
    {"direction", text, "read or write"},
    {"block_time", time, "the UTC day whose block it was found in; blocks begin two hours before their day"},
    {"start_time", time, "begin of the burst (UTC)"},
    {"end_time", time, "its end"},
    {"height", real, "bytes per second of all servers together over their background, in the highest slot"},
    {"area", real, "bytes over the background"},
    {"background", real, "bytes per second under it"},
    {"servers", number, "servers that take part; 0 where it cannot be told"},
    {"own_height", real, "bytes per second of these over their own background, in the highest slot"},
    {"own_area", real, "bytes of these over their own background"}};
constexpr ColumnSchema burst_blocks_columns[] = {
    {"filesystem", text, "as in bursts"},
    {"direction", text, "as in bursts"},
    {"block_time", time, "the UTC day of the block"},
    {"step", real, "seconds of a slot"},
    {"inputs", text, "hash of the counters that the block was made from: with others it is out of date"},
    {"from_time", time, "begin of a stretch of measured time; null: nothing of the block was measured"},
    {"to_time", time, "its end"}};
// One row per pattern; an application without one has a row of its own, with nulls from `pattern` on.
constexpr ColumnSchema patterns_columns[] = {
    {"user_name", text, "the application's user"},
    {"name", text, "its job name"},
    {"nodes", number, "its node count; 0 where the job log does not say"},
    {"state", text, "unknown, watch list, rejected or validated"},
    {"reason", text, "why, in words and numbers"},
    {"runs", number, "jobs of the application that ended"},
    {"last_end", time, "end of the latest of them (UTC)"},
    {"provisional", number, "1 while the counters do not reach far enough past that end: later ones may change what is said here"},
    {"inputs", text, "hash of the runs and bursts that this was found from"},
    {"pattern", number, "its number, from 1, the best first"},
    {"verdict", text, "valid; or rare, irregular, chance, out of scope"},
    {"filesystem", text, "where its bursts are"},
    {"direction", text, "read or write"},
    {"period_s", real, "seconds from burst to burst"},
    {"period_error_s", real, "standard error of the period"},
    {"jitter", real, "by how much the time between bursts varies, as a part of the period"},
    {"burst_bytes", real, "bytes of a burst, of the servers that take part"},
    {"coarse_bytes", real, "bytes of a burst, of all servers: before refinement"},
    {"burst_s", real, "seconds of a burst"},
    {"throughput", real, "mean bytes per second in a burst"},
    {"peak", real, "bytes per second in its highest slot"},
    {"footprint", real, "mean number of servers that take part in a burst"},
    {"io_share", real, "time in bursts to time between them"},
    {"samples", number, "runs that show it"},
    {"judged", number, "runs that were long enough to show it"},
    {"support", real, "samples / judged"},
    {"bursts", number, "bursts in the runs that show it"},
    {"confidence", real, "how likely it is that the pattern is the application's, 0 to 1"},
    {"elsewhere", real, "share of stretches without the application that show the same"},
    {"log10_chance", real, "of so many runs showing it by chance, judged by that share"},
    {"log10_disorder", real, "of as even steps by chance, judged by its bursts in disorder"},
    {"scope_windows", number, "stretches before and after its runs that were looked at"},
    {"scope_hits", number, "of them those in which the pattern goes on"},
    {"first_seen", time, "start of the first run that shows it"},
    {"last_seen", time, "end of the last one"}};
constexpr ColumnSchema annotations_columns[] = {{"app", text, "the application"},
                                                {"key", text, "which declared detail"},
                                                {"value", text, "what was declared"},
                                                {"added", time, "when"}};

constexpr ColumnSchema traces_columns[] = {
    {"trace", text, "the folder that `fathom run` wrote, or the Darshan log and the number of its source"},
    {"job_id", text, "the job it is a trace of"},
    {"job_start_time", time, "that job's start (UTC)"},
    {"linked_by", text, "how that is known: the environment variable that named the job, `Darshan`, `host and time`, or `--job`"},
    {"command", text, "the program and its arguments"},
    {"hosts", text_list, "where its processes ran"},
    {"ranks", number, "MPI ranks, or processes where there were none"},
    {"processes", number, "all of them, launchers too"},
    {"events", number, "calls in the trace"},
    {"start_time", time, "earliest start of a process (UTC)"},
    {"end_time", time, "latest end"},
    {"added", time, "when it was ingested"}};

}  // namespace

constexpr TableSchema increments_table{"increments", "what each server did between two samples", true,
                                       "end_time",   "server, filesystem, job, end_time",        increments_columns};
constexpr TableSchema extents_table{"extents",
                                    "first and last raw sample of each run, so that files join in any order",
                                    true,
                                    "last_time",
                                    "server, filesystem, job, first_time",
                                    extents_columns};
constexpr TableSchema marks_table{"marks",      "resets and visits that explain the counters", true, "t", "server, filesystem, kind, t",
                                  marks_columns};
constexpr TableSchema jobs_table{"jobs", "jobs that ran", true, "start_time", "start_time, job_id", jobs_columns};
constexpr TableSchema sources_table{"sources",      "every file that was ingested, and what became of its lines", false, "", "id",
                                    sources_columns};
constexpr TableSchema criteria_table{"criteria",      "I/O criteria per job, link and threshold", true, "start_time", "job_id",
                                     criteria_columns};
constexpr TableSchema slices_table{"slices",
                                   "what each process did to files, slice by slice of the wall clock, counted on the compute nodes",
                                   true,
                                   "end_time",
                                   "job_id, trace, process, slice",
                                   slices_columns};
constexpr TableSchema bursts_table{
    "bursts",      "phases of elevated traffic of a file system, found by mining", true, "block_time", "filesystem, direction, start_time",
    bursts_columns};
constexpr TableSchema burst_blocks_table{"burst_blocks", "time in which mining has looked for bursts", true,
                                         "block_time",   "filesystem, direction, from_time",           burst_blocks_columns};
constexpr TableSchema patterns_table{"patterns", "what is known of applications' I/O", false,
                                     "",         "user_name, name, nodes, pattern",    patterns_columns};
constexpr TableSchema annotations_table{"annotations", "declared details of applications", false, "", "app, key", annotations_columns};
constexpr TableSchema traces_table{"traces", "traced runs and the jobs they belong to", false, "", "job_id, trace", traces_columns};

std::span<const TableSchema* const> all_tables() {
  static constexpr const TableSchema* tables[] = {&increments_table,  &extents_table,  &marks_table,  &jobs_table,
                                                  &sources_table,     &criteria_table, &slices_table, &patterns_table,
                                                  &annotations_table, &traces_table,   &bursts_table, &burst_blocks_table};
  return tables;
}

const TableSchema* table_named(std::string_view name) {
  for (const TableSchema* table : all_tables())
    if (table->name == name) return table;
  return nullptr;
}

std::size_t TableSchema::column(std::string_view column_name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnSchema& c) { return c.name == column_name; });
  assert(found != columns.end());
  return static_cast<std::size_t>(found - columns.begin());
}

bool TableSchema::is_current(int format) const {
  return std::all_of(columns.begin(), columns.end(), [&](const ColumnSchema& c) { return c.since <= format; });
}

std::string_view sql_type(ColumnType type) {
  switch (type) {
    case text: return "VARCHAR";
    case number: return "BIGINT";
    case real: return "DOUBLE";
    case time: return "TIMESTAMP";
    case text_list: return "VARCHAR[]";
  }
  return "VARCHAR";
}

}  // namespace fathom
