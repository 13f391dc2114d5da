// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/reader.h"
#include "ingest/records.h"

namespace fathom {
namespace {

//  1        0     -1   1451  128     -1    -1   -1     -1    -1 -1   1   1  -1 -1 -1 -1 -1
enum Column {
  id,
  submit,
  wait,
  run,
  procs,
  cpu,
  memory,
  asked_procs,
  asked_time,
  asked_memory,
  status,
  user,
  group,
  program,
  queue,
  partition,
  previous,
  think
};
constexpr std::size_t columns = 18;
using Numbers = std::array<double, columns>;
using Words = std::array<std::string_view, columns>;

constexpr double latest = 253402300799.0;  // the last second of the year 9999

/// False when the line does not begin with 18 numbers; `more` tells whether anything follows them.
bool split(std::string_view line, Words& words, Numbers& numbers, bool& more) {
  for (std::size_t i = 0; i < columns; ++i) {
    words[i] = take_word(line);
    const auto number = parse_double(words[i]);
    if (!number || !std::isfinite(*number)) return false;
    numbers[i] = *number;
  }
  more = !trim(line).empty();
  return true;
}

/// What the `; Key: value` lines say.
struct Header {
  double unix_start = 0;
  double max_nodes = 0, max_procs = 0;
  std::map<std::string, std::string, std::less<>> queues;  // number -> name

  /// `; UnixStartTime: 749458803`, `; Queue:  1  batch`
  void read(std::string_view comment) {
    const std::string_view key = trim(take_until(comment, ':'));
    const std::string_view first = take_word(comment);
    if (key == "Queue") {
      const std::string_view name = take_word(comment);
      if (parse_u64(first) && !name.empty() && queues.size() < 10000) queues[std::string(first)] = as_utf8(name);
      return;
    }
    double* const place = key == "UnixStartTime" ? &unix_start : key == "MaxNodes" ? &max_nodes : key == "MaxProcs" ? &max_procs : nullptr;
    const auto value = parse_u64(first);
    if (place != nullptr && value && static_cast<double>(*value) <= latest) *place = static_cast<double>(*value);
  }

  /// SWF counts processors; nodes follow where the header tells how many a node has.
  std::uint64_t nodes_for(double processors) const {
    if (processors < 1 || processors > 1e9) return 0;
    const bool several = max_nodes > 0 && max_procs > max_nodes;
    return static_cast<std::uint64_t>(several ? std::ceil(processors * max_nodes / max_procs) : processors);
  }
};

/// A number in a name, `-1` (unknown) as none: u62, app3.
std::string labelled(std::string_view label, std::string_view word, double number) {
  return number < 0 ? std::string{} : fmt::format("{}{}", label, word);
}

class SwfLines {
 public:
  explicit SwfLines(Harvest& harvest) : harvest_(harvest) {}

  void read_line(std::string_view line, std::uint64_t number) {
    if (line.front() == ';') return header_.read(line.substr(1));
    Words words;
    Numbers numbers{};
    bool more = false;
    if (!split(line, words, numbers, more)) return harvest_.reject(number, line, "not 18 numbers");
    if (more) ++longer_;
    read_job(words, numbers, line, number);
  }

  void tell() const {
    if (header_.unix_start == 0) harvest_.notice("no UnixStartTime in the header: submit times are taken as seconds since 1970 (UTC)");
    if (longer_ > 0) harvest_.notice(fmt::format("{} lines hold more than the 18 columns of SWF: the others are not used", longer_));
    harvest_.notice("SWF names no nodes: its jobs can be linked to a file system as a whole, not to their own servers");
  }

 private:
  void read_job(const Words& words, const Numbers& numbers, std::string_view line, std::uint64_t number) {
    const double outcome = numbers[status];
    if (outcome >= 2 && outcome <= 4) return harvest_.leave_out("part of a job that was interrupted (the whole has its own line)");
    if (outcome == 5 && numbers[run] <= 0) return harvest_.leave_out("job never ran");
    if (numbers[run] == -1) return harvest_.leave_out("run time unknown");
    if (numbers[run] < 0) return harvest_.reject(number, line, "negative run time");
    if (numbers[submit] < 0) return harvest_.reject(number, line, "no submit time");
    // A log without wait times gives the start in place of the submission (NASA iPSC).
    const double asked = header_.unix_start + numbers[submit], start = asked + std::max(0.0, numbers[wait]), end = start + numbers[run];
    if (!(end <= latest)) return harvest_.reject(number, line, "the job ends after the year 9999");

    Job job;
    job.id = as_utf8(words[id]);
    job.user = labelled("u", words[user], numbers[user]);
    job.name = labelled("app", words[program], numbers[program]);
    job.nodes = header_.nodes_for(numbers[procs] > 0 ? numbers[procs] : numbers[asked_procs]);
    if (numbers[wait] >= 0) job.submit = at(asked);
    job.start = at(start);
    job.end = at(end);
    if (numbers[asked_time] > 0 && numbers[asked_time] < latest) job.time_limit = at(numbers[asked_time]) - Time{};
    job.state = outcome == 1 ? "COMPLETED" : outcome == 0 ? "FAILED" : outcome == 5 ? "CANCELLED" : "";
    const auto named = header_.queues.find(words[queue]);
    job.partition = named != header_.queues.end() ? named->second : labelled("q", words[queue], numbers[queue]);
    harvest_.job(std::move(job));
  }

  static Time at(double unix_seconds) { return time_from_micros(std::llround(unix_seconds * 1e6)); }

  Harvest& harvest_;
  Header header_;
  std::uint64_t longer_ = 0;
};

bool recognises(std::string_view first_bytes, std::string_view) {
  static constexpr std::string_view keys[] = {"Version",  "Computer", "Installation", "UnixStartTime", "MaxJobs",
                                              "MaxProcs", "MaxNodes", "MaxRecords",   "Acknowledge"};
  std::string_view line = first_line_of(first_bytes);
  if (line.starts_with(';')) {
    for (std::string_view rest = first_bytes; !rest.empty();) {
      line = trim(take_until(rest, '\n'));
      if (!line.starts_with(';')) continue;
      line.remove_prefix(1);
      if (line.find(':') == std::string_view::npos) continue;
      const std::string_view key = trim(take_until(line, ':'));
      for (const std::string_view known : keys)
        if (key == known) return true;
    }
    return false;
  }
  Words words;
  Numbers numbers{};
  bool more = false;
  return split(line, words, numbers, more);
}

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  SwfLines jobs(harvest);
  TRY_VOID(
      for_each_record(input, options, harvest, [&](std::string_view line, std::uint64_t number) { jobs.read_line(trim(line), number); }));
  jobs.tell();
  return {};
}

}  // namespace

extern const Reader swf;
constinit const Reader swf{
    .name = "swf",
    .summary = "Standard Workload Format 2.2 of the Parallel Workloads Archive",
    .details =
        "Each job is a line of 18 numbers, -1 for what is unknown; lines that begin with `;` are the header. Submit times count from "
        "the header's UnixStartTime; without one they are taken as Unix seconds, and a notice says so. A job starts at submit + wait, "
        "or at submit where the wait is -1, and ends after its run time. Jobs that were cancelled before they ran or whose run time is "
        "unknown are left out, as are the parts of interrupted jobs (status 2 to 4), which have a line for the whole.\n\n"
        "SWF counts processors. They are taken as nodes, unless the header gives fewer MaxNodes than MaxProcs: then a node holds "
        "MaxProcs / MaxNodes of them, and a job's nodes are rounded up. Where the processors used are unknown, those requested "
        "count. Users are named `u62`, programs `app3`, queues by the header's `Queue:` lines or `q1`.\n\n"
        "There is no node list in SWF, so jobs can be linked to the counters of a file system as a whole only. Logs with further "
        "columns behind the 18 are read, the further ones are not used; a line that does not begin with 18 numbers is rejected.",
    .example =
        "; Version: 2.2\n; Computer: Intel iPSC/860\n; UnixStartTime: 749458803\n; MaxNodes: 128\n; MaxProcs: 128\n; Queue:  1  batch\n"
        "    1        0     -1   1451  128     -1    -1   -1     -1    -1 -1   1   1  -1 -1 -1 -1 -1\n"
        "    2     1460     30   3726   64     -1    -1   64   7200    -1  1   1   1   2  1 -1 -1 -1\n",
    .recognises = recognises,
    .read = read};

}  // namespace fathom
