// SPDX-License-Identifier: Apache-2.0
#include "store_work/store_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "base/units.h"
#include "store/increment_scan.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

using namespace simulate;

struct Row {
  SeriesId series;
  std::int64_t start, end;  // microseconds since 1970
  Amounts amounts;
};

/// Rows of all series of the range, and what is odd about them.
struct Harvested {
  SeriesIndex series;
  std::vector<Row> rows;
  std::uint64_t without_operations = 0;
  std::string server_without_operations;
};

constexpr Counter counters_of[2][2] = {{Counter::read_bytes, Counter::read_ops}, {Counter::write_bytes, Counter::write_ops}};

void take_run(const IncrementRun& run, const StoreWorkOptions& options, Harvested& found) {
  for (std::size_t i = 0; i < run.size; ++i) {
    if (found.rows.size() > options.most_increments) return;
    if ((options.from != no_time && run.start[i] < micros(options.from)) || (options.to != no_time && run.start[i] >= micros(options.to)))
      continue;
    Row row{run.series, run.start[i], run.end[i], {}};
    bool unknown = false;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const std::size_t bytes = index(counters_of[kind][0]), operations = index(counters_of[kind][1]);
      if (run.has(bytes, i)) row.amounts.bytes[kind] = static_cast<std::uint64_t>(run.amounts[bytes][i]);
      if (run.has(operations, i)) row.amounts.operations[kind] = static_cast<std::uint64_t>(run.amounts[operations][i]);
      unknown = unknown || (row.amounts.bytes[kind] > 0 && !run.has(operations, i));
    }
    if (unknown && found.without_operations++ == 0) found.server_without_operations = found.series.names()[run.series].server;
    found.rows.push_back(row);
  }
}

/// A server that counts file systems and a total as well would count twice: the finest counters that are not tagged by job.
void keep_one_view(Harvested& found) {
  const auto rank = [&](SeriesId id) {
    const SeriesName& name = found.series.names()[id];
    return !name.job.empty() ? 0 : name.filesystem.empty() ? 1 : 2;
  };
  std::map<std::string, int> best;
  for (const Row& row : found.rows) {
    int& known = best[found.series.names()[row.series].server];
    known = std::max(known, rank(row.series));
  }
  std::erase_if(found.rows, [&](const Row& row) { return rank(row.series) < best[found.series.names()[row.series].server]; });
}

Result<Harvested> harvest(const Snapshot& snapshot, Database& database, const StoreWorkOptions& options) {
  Harvested found;
  ScanOptions scan;
  if (!options.servers.empty()) scan.servers = &options.servers;
  for (const std::int32_t day : increment_days(snapshot)) {
    // Increments are kept by the day of their end: those of the range end in it or on the day after.
    if (options.from != no_time && day < day_of(options.from)) continue;
    if (options.to != no_time && day > day_of(options.to) + 1) break;
    if (options.stop && options.stop()) return Error{ErrorKind::interrupted, "reading the store's increments: stopped"};
    TRY_VOID(scan_increments(snapshot, database, day, found.series, scan, [&](const IncrementRun& run) { take_run(run, options, found); }));
    if (found.rows.size() > options.most_increments)
      return Error{ErrorKind::unsupported, fmt::format("simulating the store: there are more than {} increments; choose a shorter time",
                                                       human_count(options.most_increments))};
  }
  keep_one_view(found);
  return found;
}

Error nothing(const StoreWorkOptions& options, std::string_view what) {
  return {ErrorKind::not_found, fmt::format("simulating the store: {} ({})", what, options.store)};
}

/// Servers in the order of their names take the I/O nodes that the scenario describes.
Result<std::map<std::string, std::uint32_t>> make_nodes(const Scenario& scenario, const StoreWorkOptions& options, const Harvested& found,
                                                        const std::vector<Job>& jobs, Work& work) {
  std::map<std::string, std::uint32_t> numbers;
  for (const Row& row : found.rows) numbers.emplace(found.series.names()[row.series].server, 0);
  for (const Job& job : jobs)
    for (const std::string& server : job.servers)
      if (options.servers.empty() || std::find(options.servers.begin(), options.servers.end(), server) != options.servers.end())
        numbers.emplace(server, 0);
  const std::vector<std::uint32_t> sizes = scenario.compute_nodes();
  if (!sizes.empty() && numbers.size() > sizes.size())
    return scenario.wrong(
        fmt::format("it describes {} I/O nodes, and {} servers are to be simulated: raise the count of [[io_nodes]], leave it out (128 "
                    "compute nodes each), or choose servers with --server",
                    sizes.size(), numbers.size()));
  for (auto& [server, number] : numbers) {
    number = static_cast<std::uint32_t>(work.nodes.size());
    work.nodes.push_back({server, sizes.empty() ? usual_compute_nodes : sizes[number], {}});
  }
  return numbers;
}

Picoseconds since(std::int64_t zero, std::int64_t micros) { return (micros - zero) * picoseconds_per_microsecond; }

/// Jobs as a whole in the range; the others are counted.
void take_jobs(const std::vector<Job>& jobs, const std::map<std::string, std::uint32_t>& nodes, std::int64_t zero, std::int64_t last,
               const StoreWorkOptions& options, Work& work) {
  std::uint64_t running = 0, partly = 0, elsewhere = 0;
  for (const Job& job : jobs) {
    if (job.end == no_time) {
      ++running;
    } else if (micros(job.start) < zero || micros(job.end) > last) {
      ++partly;
    } else {
      WorkJob taken{job.id, since(zero, micros(job.start)), since(zero, micros(job.end)), {}};
      for (const std::string& server : job.servers)
        if (const auto node = nodes.find(server); node != nodes.end()) taken.nodes.push_back(node->second);
      if (taken.nodes.empty())
        ++elsewhere;
      else
        work.jobs.push_back(std::move(taken));
    }
  }
  if (options.tell && running + partly + elsewhere > 0)
    options.tell(
        fmt::format("jobs left out: {} still running, {} not wholly in the range, {} without one of the servers; the I/O of their time is "
                    "simulated as nobody's",
                    human_count(running), human_count(partly), human_count(elsewhere)));
}

}  // namespace

Result<Work> work_of_store(const Scenario& scenario, const StoreWorkOptions& options) {
  TRY(const Store store, Store::open(options.store));
  TRY(const Snapshot snapshot, store.snapshot());
  return work_of_store(scenario, snapshot, options);
}

Result<Work> work_of_store(const Scenario& scenario, const Snapshot& snapshot, const StoreWorkOptions& options) {
  if (options.from != no_time && options.to != no_time && options.from >= options.to)
    return Error{ErrorKind::usage, "simulating the store: --from must be before --to"};
  TRY(Database database, Database::open({}));
  TRY(Harvested found, harvest(snapshot, database, options));
  if (found.rows.empty())
    return nothing(options,
                   options.servers.empty() ? "no increments begin in the range" : "no increments of these servers begin in the range");
  if (found.without_operations > 0 && !scenario.missing_operations_fill_buffers)
    return nothing(
        options,
        fmt::format("{} bytes and no operation counts (the first is of server '{}'), so that nobody knows the size of requests; "
                    "missing_operations = \"fill_buffers\" below [generator] makes as many as fill CIOD buffers",
                    counted(found.without_operations, "increment has", "increments have"), excerpt(found.server_without_operations, 40)));
  std::int64_t zero = INT64_MAX, last = INT64_MIN;
  for (const Row& row : found.rows) zero = std::min(zero, row.start), last = std::max(last, row.end);
  std::vector<Job> jobs;
  if (options.jobs) {
    TRY(jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  }
  std::erase_if(jobs, [&](const Job& job) { return micros(job.start) >= last || (job.end != no_time && micros(job.end) <= zero); });
  if (options.from == no_time)
    for (const Job& job : jobs) zero = std::min(zero, micros(job.start));
  if (options.to == no_time)
    for (const Job& job : jobs) last = job.end == no_time ? last : std::max(last, micros(job.end));
  if (static_cast<double>(last - zero) * 1e6 > static_cast<double>(time_limit) / 2)
    return nothing(options, fmt::format("{} at once are too long; choose at most 26 days with --from and --to",
                                        human_duration(Duration{last - zero})));
  Work work;
  TRY(const auto nodes, make_nodes(scenario, options, found, jobs, work));
  take_jobs(jobs, nodes, zero, last, options, work);
  std::vector<WorkIncrement> increments;
  increments.reserve(found.rows.size());
  for (const Row& row : found.rows)
    increments.push_back(
        {nodes.at(found.series.names()[row.series].server), since(zero, row.start), since(zero, row.end), row.amounts, row.series});
  TRY_VOID(lay_out(work, std::move(increments)));
  return work;
}

}  // namespace fathom
