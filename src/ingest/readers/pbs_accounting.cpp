// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/node_list.h"
#include "ingest/reader.h"
#include "ingest/records.h"

namespace fathom {
namespace {

// 12/21/2009 15:27:00;E;6.batch.example.org;user=u0417 jobname=mpi queue=main ctime=1261424924 start=1261425023
//   exec_host=n13/7+n13/6+n12/0 Resource_List.nodect=2 Resource_List.walltime=04:00:00 end=1261427220   (one line)
struct Record {
  std::string_view time, type, id, text;
};

/// Seconds since 1970 of the local clock at `12/21/2009 15:27:00`.
std::optional<std::int64_t> parse_local_time(std::string_view text) {
  if (text.size() != 19 || text[2] != '/' || text[5] != '/' || text[10] != ' ' || text[13] != ':' || text[16] != ':') return std::nullopt;
  auto number = [&](std::size_t at, std::size_t size) {
    const auto value = parse_u64(text.substr(at, size));
    return value ? static_cast<int>(*value) : -1;
  };
  const int year = number(6, 4), hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (year < 0 || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  const auto days = days_from_civil(year, number(0, 2), number(3, 2));
  if (!days) return std::nullopt;
  return *days * 86400 + hour * 3600 + minute * 60 + second;
}

std::optional<Record> split_record(std::string_view line) {
  Record record;
  record.time = take_until(line, ';');
  record.type = take_until(line, ';');
  record.id = take_until(line, ';');
  record.text = line;
  const bool letter =
      record.type.size() == 1 && ((record.type[0] >= 'A' && record.type[0] <= 'Z') || (record.type[0] >= 'a' && record.type[0] <= 'z'));
  return letter && parse_local_time(record.time) ? std::optional(record) : std::nullopt;
}

/// The values that are used, as they stand in the record.
struct Fields {
  std::string_view user, jobname, queue, ctime, qtime, start, end, exec_host, exit_status, nodect, walltime;
};

/// Cuts `key=value` off the text; a value with blanks stands in quotes. False at the end.
bool take_pair(std::string_view& text, std::string_view& key, std::string_view& value) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  if (text.empty()) return false;
  const std::size_t stop = text.find_first_of("= \t");
  if (stop == std::string_view::npos || text[stop] != '=') {
    key = take_word(text);
    value = {};
    return true;
  }
  key = text.substr(0, stop);
  text.remove_prefix(stop + 1);
  if (text.starts_with('"') && text.find('"', 1) != std::string_view::npos) {
    text.remove_prefix(1);
    value = take_until(text, '"');
  } else {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    value = text.substr(0, end);
    text.remove_prefix(end);
  }
  return true;
}

Fields parse_fields(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view Fields::*> places[] = {{"user", &Fields::user},
                                                                                       {"jobname", &Fields::jobname},
                                                                                       {"queue", &Fields::queue},
                                                                                       {"ctime", &Fields::ctime},
                                                                                       {"qtime", &Fields::qtime},
                                                                                       {"start", &Fields::start},
                                                                                       {"end", &Fields::end},
                                                                                       {"exec_host", &Fields::exec_host},
                                                                                       {"Exit_status", &Fields::exit_status},
                                                                                       {"Resource_List.nodect", &Fields::nodect},
                                                                                       {"Resource_List.walltime", &Fields::walltime}};
  Fields fields;
  std::string_view key, value;
  while (take_pair(text, key, value))
    for (const auto& [word, place] : places)
      if (key == word) fields.*place = value;
  return fields;
}

/// `host/7+host/6`, `host/0*8` and `host/0-7` name the host's slots: each host once, in the order of first mention.
void set_nodes(std::string_view exec_host, std::string_view nodect, Job& job) {
  std::unordered_set<std::string_view> seen;
  std::string_view previous;
  std::string list;
  while (!exec_host.empty()) {
    const std::string_view place = take_until(exec_host, '+');
    const std::string_view host = place.substr(0, place.rfind('/'));
    if (host.empty() || host == previous || !seen.insert(host).second) continue;
    previous = host;
    if (!list.empty()) list += ',';
    list += host;
    const auto several = host.find('[') == std::string_view::npos ? Result<std::uint64_t>(1) : count_nodes(host);
    job.nodes += several ? *several : 1;
  }
  job.node_list = as_utf8(list);
  // Some sites put more behind the number: nodect=1:ppn=24:gpu=4
  if (job.nodes == 0) job.nodes = parse_u64(take_until(nodect, ':')).value_or(0);
}

class AccountingLines {
 public:
  AccountingLines(const ReadOptions& options, Harvest& harvest) : text_(options), harvest_(harvest) {}

  void read_record(std::string_view line, std::uint64_t number) {
    const auto record = split_record(line);
    if (!record) return harvest_.reject(number, line, "not 'MM/DD/YYYY HH:MM:SS;type;job;...'");
    if (record->type != "E") return harvest_.leave_out(fmt::format("record {} (only E, the end of a job, is complete)", record->type));
    std::string_view with_server = record->id;
    const std::string_view id = trim(take_until(with_server, '.'));
    if (id.empty()) return harvest_.reject(number, line, "no job id");
    if (id.ends_with("[]")) return harvest_.leave_out("job array as a whole (its members have records of their own)");

    const Fields fields = parse_fields(record->text);
    if (fields.start.empty() || fields.start == "0") return harvest_.leave_out("job never ran");
    const auto start = parse_unix_seconds(fields.start);
    if (!start) return harvest_.reject(number, line, "start is no time");
    const auto end = fields.end.empty() ? text_.local_time(*parse_local_time(record->time)) : parse_unix_seconds(fields.end);
    if (!end) return harvest_.reject(number, line, "end is no time");
    if (*end < *start) return harvest_.reject(number, line, "the job ends before it starts");

    Job job;
    job.start = *start;
    job.end = *end;
    job.submit = parse_unix_seconds(fields.ctime.empty() ? fields.qtime : fields.ctime).value_or(no_time);
    job.id = as_utf8(id);
    job.user = as_utf8(fields.user);
    job.name = as_utf8(fields.jobname);
    job.partition = as_utf8(fields.queue);
    set_nodes(fields.exec_host, fields.nodect, job);
    job.time_limit = text_.time_limit(fields.walltime, std::chrono::seconds{1});
    if (!fields.exit_status.empty()) job.state = fields.exit_status == "0" ? "COMPLETED" : "FAILED";
    harvest_.job(std::move(job));
  }

  void tell() const { text_.tell(harvest_); }

 private:
  JobText text_;
  Harvest& harvest_;
};

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  AccountingLines records(options, harvest);
  TRY_VOID(
      for_each_record(input, options, harvest, [&](std::string_view line, std::uint64_t number) { records.read_record(line, number); }));
  records.tell();
  return {};
}

}  // namespace

extern const Reader pbs_accounting;
constinit const Reader pbs_accounting{
    .name = "pbs_accounting",
    .summary = "PBS Professional, OpenPBS and Torque accounting logs",
    .details =
        "The server writes one such file per day, below `server_priv/accounting`. Only the `E` record, written when a job ends, is "
        "complete; all other records (Q, S, D, ...) are left out and counted by kind, so a job appears once it has ended.\n\n"
        "Times are the Unix seconds of `start=`, `end=` and `ctime=` (submission). A record without `end=` ends at the time of the "
        "record, which has no zone: --timezone names it. A job without `start=` never ran and is left out. The job id is kept "
        "without the name of the server: `6.batch.example.org` is 6, and the array member `17[4].pbs` is 17[4]; the array "
        "as a whole (`17[]`) is left out.\n\n"
        "The hosts of `exec_host` are taken once each, whether their slots are written `n1/7+n1/6`, `n1/0*8` or `n1/0-7`; without "
        "`exec_host` the number of nodes is `Resource_List.nodect`. The queue becomes the job's partition, "
        "`Resource_List.walltime` its time limit (hours:minutes:seconds or seconds), and an `Exit_status` of 0 the state "
        "COMPLETED, any other FAILED.",
    .example =
        "12/21/2009 15:10:23;S;6.batch.example.org;user=u0417 jobname=mpi-hybrid queue=main ctime=1261424924 start=1261425023\n"
        "12/21/2009 15:27:00;E;6.batch.example.org;user=u0417 group=staff jobname=mpi-hybrid queue=main ctime=1261424924 "
        "qtime=1261424924 etime=1261424924 start=1261425023 exec_host=n13/1+n13/0+n12/1+n12/0 "
        "Resource_List.nodect=2 Resource_List.walltime=04:00:00 session=5510 end=1261427220 Exit_status=0 "
        "resources_used.walltime=00:36:37\n",
    .recognises = [](std::string_view first, std::string_view) { return split_record(first_line_of(first)).has_value(); },
    .read = read};

}  // namespace fathom
