// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/reader.h"
#include "ingest/records.h"

namespace fathom {
namespace {

// myqueue:testhost:jdoe:jdoe:mpi-mem-test:22947:sge:0:1310761621:1311095354:1311095414:0:0:60:60.05:...:NONE:defaultdepartment:mype:1:0:...
// accounting(5): 45 fields, of which these are used; Univa's has more behind them, and times in milliseconds.
constexpr std::size_t queue = 0, host = 1, owner = 3, name = 4, number = 5, submitted = 8, started = 9, ended = 10, failed = 11,
                      exit_status = 12, parallel = 33, slots = 34, task = 35, category = 39, slave = 41, least_fields = 43;

using Fields = std::array<std::string_view, least_fields>;

std::optional<Fields> split_record(std::string_view line) {
  Fields fields;
  for (std::string_view& field : fields) {
    if (line.empty()) return std::nullopt;
    field = take_until(line, ':');
  }
  for (const std::size_t whole : {number, submitted, started, ended})
    if (!parse_u64(fields[whole])) return std::nullopt;
  return fields;
}

/// Seconds since 1970; milliseconds where it would be after the year 5000. 0: never.
Time moment(std::string_view text) {
  constexpr std::uint64_t milliseconds_from = 100'000'000'000, most = 100'000'000'000'000;
  const std::uint64_t value = parse_u64(text).value_or(0);
  if (value == 0 || value >= most) return no_time;
  return value >= milliseconds_from ? time_from_micros(static_cast<std::int64_t>(value) * 1000)
                                    : time_from_seconds(static_cast<std::int64_t>(value));
}

/// h_rt of `-l h_cpu=36000,h_rt=36000`.
std::string_view requested(std::string_view category_text, std::string_view key) {
  for (std::size_t at = category_text.find(key); at != std::string_view::npos; at = category_text.find(key, at + 1)) {
    if (at > 0 && category_text[at - 1] != ',' && category_text[at - 1] != ' ') continue;
    const std::string_view rest = category_text.substr(at + key.size());
    return rest.substr(0, rest.find_first_of(", "));
  }
  return {};
}

class AccountingLines {
 public:
  AccountingLines(const ReadOptions& options, Harvest& harvest) : text_(options), harvest_(harvest) {}

  void read_record(std::string_view line, std::uint64_t line_number) {
    const auto fields = split_record(line);
    if (!fields) return harvest_.reject(line_number, line, "not the fields of accounting(5)");
    const Fields& f = *fields;
    if (f[slave] != "NONE" && !f[slave].empty()) return harvest_.leave_out("task of a parallel job (the job has a record of its own)");
    Job job;
    job.start = moment(f[started]);
    job.end = moment(f[ended]);
    if (job.start == no_time) return harvest_.leave_out("job never ran");
    if (job.end == no_time || job.end < job.start) return harvest_.reject(line_number, line, "the job ends before it starts");
    job.submit = moment(f[submitted]);
    job.id = as_utf8(f[task] == "0" || f[task] == "undefined" ? std::string(f[number]) : fmt::format("{}.{}", f[number], f[task]));
    job.user = as_utf8(f[owner]);
    job.name = as_utf8(f[name]);
    job.partition = as_utf8(f[queue]);
    // The record of a parallel job names the host of its first task alone, and counts slots, not nodes.
    if (f[parallel] == "NONE" || f[slots] == "1") {
      job.nodes = 1;
      job.node_list = as_utf8(f[host]);
    } else {
      parallel_ = true;
    }
    job.time_limit = text_.time_limit(requested(f[category], "h_rt="), std::chrono::seconds{1});
    job.state = f[failed] == "0" && f[exit_status] == "0" ? "COMPLETED" : "FAILED";
    harvest_.job(std::move(job));
  }

  void tell() const {
    text_.tell(harvest_);
    if (parallel_) harvest_.notice("parallel jobs have no number of nodes: this log counts slots and names one host");
  }

 private:
  JobText text_;
  Harvest& harvest_;
  bool parallel_ = false;
};

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  AccountingLines records(options, harvest);
  TRY_VOID(for_each_record(input, options, harvest, [&](std::string_view line, std::uint64_t line_number) {
    if (line.front() != '#') records.read_record(line, line_number);
  }));
  records.tell();
  return {};
}

/// The first line that is no comment.
std::string_view first_record(std::string_view first) {
  while (!first.empty()) {
    const std::string_view line = take_until(first, '\n');
    if (!trim(line).empty() && line.front() != '#') return line;
  }
  return {};
}

}  // namespace

extern const Reader sge_accounting;
constinit const Reader sge_accounting{
    .name = "sge_accounting",
    .summary = "Grid Engine accounting files (SGE, Son of Grid Engine, Univa)",
    .details =
        "The file `accounting` below `$SGE_ROOT/$SGE_CELL/common`: a line for each job, fields separated by colons as in accounting(5). "
        "Univa's further fields are not looked at, and its times in milliseconds "
        "are recognised by their size.\n\n"
        "A job that was not in a parallel environment, or had one slot, ran on the host that the record names. Of other jobs the log "
        "counts slots, not nodes, and names the host of the first task alone: their "
        "number of nodes is unknown, and the summary says so. Records of the tasks of a parallel job (`pe_taskid`, where the site has "
        "`accounting_summary FALSE`) are left out. A task of an array is the job "
        "`NUMBER.TASK`. A job whose start is 0 never ran and is left out. The queue becomes the partition, `h_rt` of the request the time "
        "limit; a job is COMPLETED if neither `failed` nor `exit_status` says "
        "otherwise.",
    .example =
        "myqueue:n0113:jdoe:jdoe:mem-test:22947:sge:0:1310761621:1311095354:1311095414:0:0:60:60.050000:0.080000:104188.000000:0:0:0:0:"
        "28001:0:0:0.000000:24:0:0:0:41:549:NONE:defaultdepartment:NONE:1:0:60.130000:"
        "7.335452:0.000044:-l h_cpu=36000,h_rt=36000:0.000000:NONE:189153280.000000:0:0\n",
    .recognises = [](std::string_view first, std::string_view) { return split_record(first_record(first)).has_value(); },
    .read = read};

}  // namespace fathom
