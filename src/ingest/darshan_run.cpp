// SPDX-License-Identifier: Apache-2.0
#include "ingest/darshan_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "ingest/user_name.h"
#include "slices/series.h"

namespace fathom {
namespace {

using slices::Counter;

constexpr std::int64_t usual_length = 4'000'000'000;  // that of `fathom run`
constexpr double longest_seconds = 1e9;               // thirty years

std::int64_t length_of(const ReadOptions& options) {
  if (!options.step) return usual_length;
  return std::clamp(options.step->count(), trace::shortest_slice / 1000, std::int64_t{86'400'000'000}) * 1000;
}

/// Takes `# key: ` off a line.
std::optional<std::string_view> value_of_key(std::string_view line, std::string_view key) {
  if (!line.starts_with("# ")) return std::nullopt;
  line.remove_prefix(2);
  if (!line.starts_with(key)) return std::nullopt;
  line.remove_prefix(key.size());
  if (!line.starts_with(":")) return std::nullopt;
  return trim(line.substr(1));
}

/// A time that nanoseconds can hold, with room for the run.
std::optional<Time> moment(std::string_view text) {
  const auto t = parse_unix_seconds(text);
  if (!t || micros(*t) < 0 || micros(*t) >= slices::latest_moment / 1000) return std::nullopt;
  return t;
}

std::uint64_t& cell(slices::Slice& slice, Counter counter) { return slice.values[static_cast<std::size_t>(counter)]; }

/// Calls of POSIX are made inside those of MPI-IO as well: the longer of both is the time inside calls. Other calls' time is in io_time so
/// far.
void settle_io_time(slices::Slice& slice) {
  const std::uint64_t posix = cell(slice, Counter::io_time) + cell(slice, Counter::read_time) + cell(slice, Counter::write_time);
  cell(slice, Counter::io_time) = std::max(posix, cell(slice, Counter::mpi_time));
}

}  // namespace

bool begins_as_darshan_log(std::string_view text) {
  for (int lines = 0; lines < 40 && !text.empty(); ++lines) {
    const std::string_view line = take_until(text, '\n');
    if (value_of_key(line, "darshan log version")) return true;
    if (!trim(line).empty() && !line.starts_with('#')) return false;
  }
  return false;
}

Result<void> for_each_darshan_line(LineInput& input, const ReadOptions& options, Harvest& harvest, const DarshanRun& run,
                                   const std::function<void(std::string_view line)>& comment,
                                   const std::function<void(std::string_view line, std::uint64_t number)>& entry) {
  std::uint64_t lines = 0;
  TRY_VOID(input.for_each_line([&](std::string_view line, std::uint64_t number) {
    ++lines;
    if (line.starts_with('#'))
      comment(line);
    else if (!trim(line).empty())
      entry(line, number + options.first_line - 1);
    return !run.full();
  }));
  harvest.lines(lines);
  return {};
}

std::optional<std::int32_t> darshan_rank(std::string_view text) {
  if (text == "-1") return slices::all_ranks;
  const auto rank = parse_u64(text);
  if (!rank || *rank > INT32_MAX) return std::nullopt;
  return static_cast<std::int32_t>(*rank);
}

DarshanRun::DarshanRun(const ReadOptions& options, Harvest& harvest, std::size_t most_slices)
    : options_(options), harvest_(harvest), length_(length_of(options)), most_slices_(most_slices), latest_(processes_.end()) {}

void DarshanRun::comment(std::string_view line) {
  if (const auto exe = value_of_key(line, "exe"))
    command_ = as_utf8(*exe);
  else if (const auto uid = value_of_key(line, "uid"))
    user_ = as_utf8(*uid);
  else if (const auto job = value_of_key(line, "jobid"))
    job_ = as_utf8(*job);
  else if (const auto start = value_of_key(line, "start_time"))
    start_ = moment(*start);
  else if (const auto end = value_of_key(line, "end_time"))
    end_ = moment(*end);
  else if (const auto time = value_of_key(line, "run time"))
    run_time_ = std::clamp(parse_double(*time).value_or(0), 0.0, longest_seconds);
  else if (line.find("contains incomplete data") != std::string_view::npos)
    harvest_.notice("Darshan ran out of room: the log does not hold all that the job did");
  else if (const auto ranks = value_of_key(line, "nprocs"))
    ranks_ = static_cast<std::int64_t>(std::min<std::uint64_t>(parse_u64(*ranks).value_or(0), INT32_MAX));
}

std::optional<RunStretch> DarshanRun::stretch(std::optional<double> from, std::optional<double> to) const {
  if (!start_ || !from || !to || !(*from >= 0) || !(*to >= *from) || !(*to < longest_seconds)) return std::nullopt;
  const std::int64_t start = micros(*start_) * 1000;
  const RunStretch found{start + std::llround(*from * 1e9), start + std::llround(*to * 1e9)};
  if (found.end >= slices::latest_moment) return std::nullopt;
  return found;
}

std::int64_t DarshanRun::told_end() const {
  const std::int64_t start = micros(*start_) * 1000;
  const std::int64_t end = std::max<std::int64_t>(end_ ? micros(*end_) * 1000 : 0, start + std::llround(run_time_ * 1e9));
  return std::clamp(end, start, slices::latest_moment - 1);
}

RunStretch DarshanRun::whole() const { return {micros(*start_) * 1000, told_end()}; }

DarshanRun::Process& DarshanRun::process(std::int32_t rank, std::string_view host) {
  // Lines of a process come one after another.
  if (latest_ == processes_.end() || latest_->first.first != rank || latest_->first.second != host)
    latest_ = processes_.try_emplace({rank, std::string(host)}, length_).first;
  return latest_->second;
}

void DarshanRun::meet(Process& process, std::int64_t slice) {
  if (slice == process.latest) return;
  process.latest = slice;
  if (process.met.insert(slice).second && ++slices_ > most_slices_) full_ = true;
}

void DarshanRun::spread(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, std::uint64_t amount) {
  if (full_ || amount == 0) return;
  Process& its = process(rank, host);
  its.sheet.spread(stretch.begin, stretch.end, counter, amount);
  const std::int64_t first = slices::slice_of(stretch.begin, length_),
                     last = slices::slice_of(std::max(stretch.begin, stretch.end - 1), length_);
  // A sheet keeps these of a stretch, however many lie between.
  for (const std::int64_t slice : {first, std::min(first + 1, last), last}) meet(its, slice);
}

bool DarshanRun::add(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, std::uint64_t amount) {
  if (amount > slices::largest_amount - total_) return false;
  total_ += amount;
  last_ = std::max(last_, stretch.end);
  spread(rank, host, stretch, counter, amount);
  return true;
}

void DarshanRun::add_time(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, double seconds) {
  if (!(seconds > 0)) return;
  const auto room = static_cast<double>(slices::largest_amount - total_time_);
  const auto nanoseconds = static_cast<std::uint64_t>(std::min(seconds * 1e9, room * 0.5));
  total_time_ += nanoseconds;
  spread(rank, host, stretch, counter, nanoseconds);
}

Error DarshanRun::too_many(const std::string& path) const {
  return {ErrorKind::unsupported,
          fmt::format("dividing {} into time slices of {} s: they are more than {} of all processes together; use longer ones (--step)",
                      path, static_cast<double>(length_) / 1e9, most_slices_)};
}

Result<void> DarshanRun::fill(JobRun& run, const std::string& path) {
  if (full_) return too_many(path);
  const std::int64_t start = micros(*start_) * 1000;
  const std::int64_t end = std::max(told_end(), last_);
  run.slices.length = length_;
  std::size_t rows = 0;
  std::set<std::string> hosts;
  for (const auto& [unit, its] : processes_) {
    auto slices = its.sheet.slices(most_slices_ - rows);
    if (!slices) return too_many(path);
    rows += slices->size();
    for (slices::Slice& slice : *slices) settle_io_time(slice);
    if (!unit.second.empty()) hosts.insert(unit.second);
    slices::Process process;
    process.host = unit.second;
    process.rank = unit.first;
    process.start = start;
    process.end = end;
    process.ended_well = true;
    process.slices = *std::move(slices);
    run.slices.processes.push_back(std::move(process));
  }
  run.hosts.assign(hosts.begin(), hosts.end());
  run.start = time_from_micros(start / 1000);
  run.end = time_from_micros((end + 999) / 1000);
  return {};
}

Result<void> DarshanRun::deliver(const std::string& path) {
  const auto lacks = [&](std::string_view what) {
    return Error{ErrorKind::malformed, fmt::format("reading {} as a Darshan log: its header has no {}", path, what)};
  };
  if (!start_) return lacks("line '# start_time:' with a time");
  const std::string id = options_.job.empty() ? job_ : options_.job;
  if (id.empty()) return lacks("line '# jobid:' (--job names the job)");
  JobRun run;
  TRY_VOID(fill(run, path));
  run.command = command_;
  run.ranks = ranks_;
  run.processes = std::max(ranks_, static_cast<std::int64_t>(processes_.size()));
  run.job_named_by = options_.job.empty() ? "Darshan" : "--job";
  run.job.id = id;
  run.job.user = user_name(user_);
  run.job.name = std::filesystem::path(command_.substr(0, command_.find(' '))).filename().string();
  run.job.nodes = run.hosts.size();
  for (const std::string& host : run.hosts) run.job.node_list += (run.job.node_list.empty() ? "" : ",") + host;
  run.job.start = run.start;
  run.job.end = run.end;
  run.job.state = "traced";
  harvest_.run(std::move(run));
  return {};
}

}  // namespace fathom
