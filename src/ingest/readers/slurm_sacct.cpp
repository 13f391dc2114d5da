// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/node_list.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

// 165381|165381|phillips|crumpet|qos|chaff|chaff|45789|chaff|196224|2016-12-27T20:12:01|2016-12-27T20:12:01|2016-12-27T20:12:01|
//   2017-01-01T20:12:27|5-00:00:26|1:0|TIMEOUT|8|64|64|8000Mn|cpu=64|billing=64|5-00:00:00|cpn-f13-03-[01-02]|name   (one line)
constexpr std::string_view xdmod_columns =
    "jobid|jobidraw|cluster|partition|qos|account|group|gid|user|uid|submit|eligible|start|end|elapsed|exitcode|state|nnodes|"
    "ncpus|reqcpus|reqmem|reqtres|alloctres|timelimit|nodelist|jobname";

enum Column { id, raw_id, user, name, nodes, alloc_nodes, node_list, submit, start, end, elapsed, time_limit, state, partition };
constexpr std::array<std::string_view, 14> column_names{"JobID",  "JobIDRaw", "User", "JobName", "NNodes",    "AllocNodes", "NodeList",
                                                        "Submit", "Start",    "End",  "Elapsed", "Timelimit", "State",      "Partition"};

constexpr bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (equal_ignoring_case(text, word)) return true;
  return false;
}

bool is_unknown_time(std::string_view text) { return is_one_of(text, {"", "Unknown", "None", "N/A"}); }

/// NNodes is `8`; sacct without --noconvert shortens whole and half multiples of 1024: `2K`, `1.50K`.
std::uint64_t parse_node_count(std::string_view text) {
  if (const auto plain = parse_u64(text)) return *plain;
  if (text.empty()) return 0;
  const double unit = text.back() == 'K' ? 1024 : text.back() == 'M' ? 1024 * 1024 : 0;
  const auto amount = parse_double(text.substr(0, text.size() - 1));
  return amount && *amount > 0 && *amount < 1024 ? static_cast<std::uint64_t>(*amount * unit) : 0;
}

/// What stands between the columns of a header: "|", or "|WORD|" where `sacct --delimiter` was given a word that nobody can guess, so that
/// no job's name holds it: JobIDRaw|4f1e09ac77d2|User|4f1e09ac77d2|Start|4f1e09ac77d2|End
std::string_view separator_of(std::string_view header) {
  constexpr std::size_t shortest_word = 8;
  const std::size_t first = header.find('|');
  const std::size_t second = first == std::string_view::npos ? first : header.find('|', first + 1);
  if (second == std::string_view::npos || second - first - 1 < shortest_word) return "|";
  const std::string_view marked = header.substr(first, second + 1 - first), word = marked.substr(1, marked.size() - 2);
  if (!std::all_of(word.begin(), word.end(),
                   [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }))
    return "|";
  // A column's name stands there once, the word after every name.
  const std::size_t again = header.find(marked, second + 1);
  return again != std::string_view::npos && header.substr(second + 1, again - second - 1).find('|') == std::string_view::npos ? marked
                                                                                                                              : "|";
}

/// Where the columns stand in this file's lines, and how a line is cut into them.
class Layout {
 public:
  /// `example` is any line of the file: --parsable, unlike --parsable2, ends each line with a separator.
  Layout(std::string_view header, std::string_view example) {
    separator_ = separator_of(header);
    if (header.ends_with(separator_)) header.remove_suffix(separator_.size());
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at <= header.size();) {
      const std::size_t next = std::min(header.size(), header.find(separator_, at));
      names.push_back(header.substr(at, next - at));
      at = next + separator_.size();
    }
    at_ = find_columns(names, column_names);
    fields_.resize(names.size());
    std::size_t separators = 0;
    for (std::size_t at = example.find(separator_); at != std::string_view::npos; at = example.find(separator_, at + separator_.size()))
      ++separators;
    trailing_ = example.ends_with(separator_) && separators >= names.size();
  }

  /// What a header must have before a job can be read from it; empty when nothing is missing.
  std::string_view missing() const {
    if (at_[id] == no_column && at_[raw_id] == no_column) return "JobID";
    if (at_[start] == no_column) return "Start";
    return at_[end] == no_column ? "End" : "";
  }

  /// False when the line has another number of fields. A job's name may hold separators where it is the last column.
  bool split(std::string_view line) {
    if (trailing_ && line.ends_with(separator_)) line.remove_suffix(separator_.size());
    for (std::size_t i = 0; i + 1 < fields_.size(); ++i) {
      const std::size_t bar = line.find(separator_);
      if (bar == std::string_view::npos) return false;
      fields_[i] = line.substr(0, bar);
      line.remove_prefix(bar + separator_.size());
    }
    fields_.back() = line;
    return at_[name] + 1 == fields_.size() || line.find(separator_) == std::string_view::npos;
  }

  bool has(Column column) const { return at_[column] != no_column; }
  std::string_view operator[](Column column) const { return has(column) ? trim(fields_[at_[column]]) : std::string_view{}; }
  std::size_t columns() const { return fields_.size(); }

 private:
  std::string separator_;
  std::vector<std::size_t> at_;
  std::vector<std::string_view> fields_;
  bool trailing_ = false;
};

bool is_header(std::string_view line) { return line.find('|') != std::string_view::npos && Layout(line, line).missing().empty(); }

/// XDMoD's 26 columns without a header: numbers and times stand where they belong.
bool is_xdmod_line(std::string_view line) {
  Layout layout(xdmod_columns, line);
  return layout.split(line) && parse_u64(layout[raw_id]) && (parse_iso8601(layout[submit]) || parse_unix_seconds(layout[submit])) &&
         (is_unknown_time(layout[start]) || parse_iso8601(layout[start]) || parse_unix_seconds(layout[start]));
}

class SacctLines {
 public:
  SacctLines(const ReadOptions& options, Harvest& harvest) : text_(options), harvest_(harvest) {}

  void read_job(std::string_view line, std::uint64_t number, Layout& fields) {
    if (!fields.split(line))
      return harvest_.reject(number, line,
                             fmt::format("not {} fields (a job name may hold '|' only as the last column)", fields.columns()));
    const std::string_view raw = fields[raw_id], job_id = raw.empty() ? fields[id] : raw;
    if (job_id.empty()) return harvest_.reject(number, line, "no job id");
    if (job_id.find('.') != std::string_view::npos || fields[id].find('.') != std::string_view::npos)
      return harvest_.leave_out("job step (.batch, .extern, .0)");
    std::string_view rest = fields[state];  // CANCELLED by 423120; sacct marks a cut word with '+'
    std::string_view word = take_word(rest);
    if (word.ends_with('+')) word.remove_suffix(1);

    Job job;
    if (never_ran(fields, word)) return harvest_.leave_out("job never ran");
    const auto began = text_.time(fields[start]);
    if (!began) return harvest_.reject(number, line, "start is no time");
    job.start = *began;
    // A job that still runs has no end yet; `sacct --truncate` invents one.
    if (!is_unknown_time(fields[end]) && !is_one_of(word, {"RUNNING", "SUSPENDED"})) {
      const auto ended = text_.time(fields[end], job.start);
      if (!ended) return harvest_.reject(number, line, "end is no time");
      if (*ended < job.start) return harvest_.reject(number, line, "the job ends before it starts");
      job.end = *ended;
    }
    if (!is_unknown_time(fields[submit])) job.submit = text_.time(fields[submit]).value_or(no_time);
    note_suspension(fields, job);
    job.id = as_utf8(job_id);
    job.user = as_utf8(fields[user]);
    job.name = as_utf8(fields[name]);
    job.node_list = as_utf8(fields[node_list]);
    job.nodes = parse_node_count(fields.has(nodes) ? fields[nodes] : fields[alloc_nodes]);
    if (job.nodes == 0)
      if (const auto counted = count_nodes(job.node_list)) job.nodes = *counted;
    job.time_limit = text_.time_limit(fields[time_limit], std::chrono::minutes{1});
    job.state = as_utf8(word);
    job.partition = as_utf8(fields[partition]);
    harvest_.job(std::move(job));
  }

  void tell() const {
    text_.tell(harvest_);
    if (suspended_ > 0)
      harvest_.notice(
          fmt::format("{} jobs were suspended for part of their run (Elapsed is shorter than End - Start); "
                      "they count as running from Start to End",
                      suspended_));
  }

 private:
  static bool never_ran(const Layout& fields, std::string_view state_word) {
    if (is_unknown_time(fields[start]) || is_one_of(state_word, {"PENDING"})) return true;
    if (is_one_of(fields[node_list], {"None assigned", "None", "(null)"})) return true;
    // Without a node list, a job cancelled in the queue shows only as one that ended when it started.
    return fields[node_list].empty() && state_word.starts_with("CANCELLED") && fields[start] == fields[end];
  }

  void note_suspension(const Layout& fields, const Job& job) {
    const auto ran = parse_time_span(fields[elapsed], std::chrono::minutes{1});
    if (ran && job.end != no_time && *ran + std::chrono::seconds{1} < job.end - job.start) ++suspended_;
  }

  JobText text_;
  Harvest& harvest_;
  std::uint64_t suspended_ = 0;
};

bool recognises(std::string_view first_bytes, std::string_view) {
  const std::string_view line = first_line_of(first_bytes);
  return is_header(line) || is_xdmod_line(line);
}

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  const std::string first(first_line_of(input.peek()));
  const bool headed = is_header(first);
  const Layout named(first, first);
  if (!headed && (named.has(id) || named.has(raw_id)))
    return Error{ErrorKind::malformed, fmt::format("reading {}: the sacct header has no column {}; ask sacct for at least "
                                                   "--format=JobIDRaw,User,NNodes,Submit,Start,End,State,NodeList,JobName ({}:{})",
                                                   input.path(), named.missing(), input.path(), options.first_line)};
  Layout layout(headed ? std::string_view(first) : xdmod_columns, first);
  SacctLines jobs(options, harvest);
  std::uint64_t lines = 0;
  TRY_VOID(input.for_each_line([&](std::string_view line, std::uint64_t number) {
    lines = number;
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    // Files put behind one another repeat the header.
    if (trim(line).empty() || (headed && trim(line) == first)) return true;
    jobs.read_job(line, number + options.first_line - 1, layout);
    return true;
  }));
  harvest.lines(lines);
  jobs.tell();
  return {};
}

}  // namespace

extern const Reader slurm_sacct;
constinit const Reader slurm_sacct{
    .name = "slurm_sacct",
    .summary = "Slurm job accounting: sacct --parsable2",
    .details =
        "Write such a file with `TZ=UTC sacct --allusers --allocations --duplicates --parsable2 --starttime ... --endtime ... "
        "--format=JobIDRaw,User,Partition,Submit,Start,End,State,NNodes,Timelimit,NodeList,JobName`. With a header line the columns "
        "may stand in any order, and more of them do no harm; JobID or JobIDRaw, Start and End are needed. Without a header "
        "(--noheader) the 26 columns that Open XDMoD asks for are expected. The form of --parsable, with a separator at the end of "
        "each line, is understood too.\n\n"
        "A job is known by JobIDRaw where there is one, so every member of an array has a number of its own. Job steps "
        "(`.batch`, `.extern`, `.0`) are left out, as are jobs that never ran (node list `None assigned`, start `Unknown`, state "
        "PENDING). A job that still runs is kept without an end. `CANCELLED by 423120` becomes CANCELLED. A job name may hold `|` "
        "if JobName is the last column. Suspended jobs count as running from start to end, and are reported. NNodes shortened to "
        "`2K` is 2048; where NNodes is missing or 0, the nodes of the list are counted. A time limit of `Partition_Limit` or "
        "`UNLIMITED` is none; a plain number is minutes.\n\n"
        "Users choose the names of jobs, and a name may hold line ends: with `|` alone, a name can bring lines of its own that look like "
        "jobs. "
        "Where users are not to be trusted with that, give sacct a word that nobody can guess, new for each file, "
        "`--delimiter=\"|$(od -An -N12 -tx1 /dev/urandom | tr -d ' \\n')|\"`: the header says which it is, and lines without it are "
        "rejected. "
        "Such files cannot be put behind one another.\n\n"
        "sacct writes local times without a zone: run it with TZ=UTC, or name the zone with --timezone. Unix seconds "
        "(SLURM_TIME_FORMAT=%s) are read as well.",
    .example =
        "JobIDRaw|User|Partition|Submit|Start|End|State|NNodes|Timelimit|NodeList|JobName\n"
        "165381|chaff|crumpet|2016-12-27T20:12:01|2016-12-27T20:12:01|2017-01-01T20:12:27|TIMEOUT|4|5-00:00:00|"
        "cpn-f13-03-[01-02],cpn-f13-04-[01-02]|relax\n"
        "165382|noror|crumpet|2016-12-27T20:15:40|2016-12-27T20:16:02|Unknown|RUNNING|1|Partition_Limit|cpn-f11-31|a|b\n"
        "165383|noror|crumpet|2016-12-27T20:15:41|2016-12-27T20:19:12|2016-12-27T20:19:12|CANCELLED by 380693|1|1-00:00:00|"
        "None assigned|tidy\n",
    .recognises = recognises,
    .read = read};

}  // namespace fathom
