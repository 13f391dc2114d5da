// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/csv.h"
#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/node_list.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

// job_id,user,name,nodes,servers,start,end
// 4711,ann,"relax, coarse",512,ion-R00-M0-0;ion-R00-M0-1,1310000000,2011-07-07T03:15:00Z
enum Column { id, start, end, user, name, nodes, node_list, submit, servers, time_limit, state, partition };
constexpr std::array<std::string_view, 12> column_names{"job_id",    "start",  "end",     "user",      "name",  "nodes",
                                                        "node_list", "submit", "servers", "timelimit", "state", "partition"};

bool is_header(std::string_view line) {
  CsvRecord record;
  if (record.split(line) != nullptr) return false;
  const auto at = find_columns(record.fields(), column_names);
  return at[id] != no_column && at[start] != no_column && at[end] != no_column;
}

std::vector<std::string> split_servers(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty())
    if (const std::string_view server = trim(take_until(text, ';')); !server.empty()) all.push_back(as_utf8(server));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

class CsvJobs {
 public:
  CsvJobs(const ReadOptions& options, Harvest& harvest) : text_(options), harvest_(harvest) {}

  void read_header(std::string_view line) {
    (void)record_.split(line);  // is_header() found it well formed
    const auto names = record_.fields();
    at_ = find_columns(names, column_names);
    columns_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::find(at_.begin(), at_.end(), i) == at_.end())
        unused_ += fmt::format("{}{}", unused_.empty() ? "" : ", ", excerpt(names[i], 40));
  }

  void read_job(std::string_view line, std::uint64_t number) {
    if (const char* wrong = record_.split(line)) return harvest_.reject(number, line, wrong);
    if (record_.fields().size() != columns_)
      return harvest_.reject(number, line, fmt::format("{} fields where the header has {}", record_.fields().size(), columns_));
    Job job;
    job.id = as_utf8(field(id));
    if (job.id.empty()) return harvest_.reject(number, line, "no job_id");
    if (field(start).empty()) return harvest_.leave_out("job never ran");
    const auto began = text_.time(field(start));
    if (!began) return harvest_.reject(number, line, "start is no time");
    job.start = *began;
    if (!field(end).empty()) {
      const auto ended = text_.time(field(end), job.start);
      if (!ended) return harvest_.reject(number, line, "end is no time");
      if (*ended < job.start) return harvest_.reject(number, line, "the job ends before it starts");
      job.end = *ended;
    }
    if (!field(submit).empty()) {
      const auto asked = text_.time(field(submit));
      if (!asked) return harvest_.reject(number, line, "submit is no time");
      job.submit = *asked;
    }
    job.node_list = as_utf8(field(node_list));
    if (!field(nodes).empty()) {
      const auto count = parse_u64(field(nodes));
      if (!count) return harvest_.reject(number, line, "nodes is no whole number");
      job.nodes = *count;
    } else if (const auto counted = count_nodes(job.node_list)) {
      job.nodes = *counted;
    }
    job.user = as_utf8(field(user));
    job.name = as_utf8(field(name));
    job.servers = split_servers(field(servers));
    job.time_limit = text_.time_limit(field(time_limit), std::chrono::seconds{1});
    job.state = as_utf8(field(state));
    job.partition = as_utf8(field(partition));
    harvest_.job(std::move(job));
  }

  void tell() const {
    text_.tell(harvest_);
    if (!unused_.empty()) harvest_.notice(fmt::format("columns that are not used: {}", unused_));
  }

 private:
  std::string_view field(Column column) const {
    return at_[column] == no_column ? std::string_view{} : trim(record_.fields()[at_[column]]);
  }

  JobText text_;
  Harvest& harvest_;
  CsvRecord record_;
  std::vector<std::size_t> at_;
  std::size_t columns_ = 0;
  std::string unused_;
};

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  const std::string first(first_line_of(input.peek()));
  if (!is_header(first))
    return Error{ErrorKind::malformed, fmt::format("reading {}: its first line is no header with job_id, start and end: '{}' ({}:{})",
                                                   input.path(), excerpt(first), input.path(), options.first_line)};
  CsvJobs jobs(options, harvest);
  jobs.read_header(first);
  std::uint64_t lines = 0;
  TRY_VOID(input.for_each_line([&](std::string_view line, std::uint64_t number) {
    lines = number;
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    // Files put behind one another repeat the header.
    if (const std::string_view text = trim(line); !text.empty() && text != first) jobs.read_job(line, number + options.first_line - 1);
    return true;
  }));
  harvest.lines(lines);
  jobs.tell();
  return {};
}

}  // namespace

extern const Reader jobs_csv;
constinit const Reader jobs_csv{
    .name = "jobs_csv",
    .summary = "jobs as comma-separated values: job_id,start,end and more",
    .details =
        "For batch systems without a reader of their own. The first line names the columns, in any order: `job_id`, `start` and `end` "
        "are needed; `user`, `name`, `nodes`, `node_list`, `submit`, `servers`, `timelimit`, `state` and `partition` are used; others "
        "are named in a notice and passed over. Fields with commas or quotes are quoted as RFC 4180 says; a quoted field must end on "
        "its line.\n\n"
        "Times are Unix seconds, with a fraction if need be, or ISO 8601; those without a zone are in the zone of --timezone, or "
        "UTC. An empty `end` is a job that still runs, an empty `start` one that never ran (left out). `servers` are the storage "
        "servers that were the job's own, separated by `;`. `node_list` is written as Slurm does (`n[01-16],m3`); where `nodes` is "
        "empty, the nodes of the list are counted. `timelimit` is in seconds or `[days-]hours:minutes:seconds`.",
    .example =
        "job_id,user,name,nodes,servers,start,end\n"
        "4711,ann,\"relax, coarse\",512,ion-R00-M0-0;ion-R00-M0-1,1310000000,1310007200.5\n"
        "4712,bob,climate,1024,ion-R01-M0-0,2011-07-07T03:15:00Z,\n",
    .recognises = [](std::string_view first, std::string_view) { return is_header(first_line_of(first)); },
    .read = read};

}  // namespace fathom
