// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ingest/job_text.h"
#include "ingest/reader.h"
#include "ingest/records.h"

namespace fathom {
namespace {

// "JOB_FINISH" "9.11" 1389683139 404717 22025 33882739 128 1389642318 0 0 1389642771 "anonuser" "regular" "span[ptile=16]" ... 0 8
// "16*host1201-ib" ... 64 60.0 "name" "command" ...
constexpr std::string_view finished = "\"JOB_FINISH\"";

/// The fields of a line: words, or texts in quotes in which a quote stands twice.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// False at the end, or where a quote is not closed.
  bool next(std::string& word) {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    word.clear();
    if (rest_.empty()) return false;
    if (rest_.front() != '"') {
      word = take_word(rest_);
      return true;
    }
    for (rest_.remove_prefix(1); !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_.front() == '"') {
        rest_.remove_prefix(1);
        if (!rest_.starts_with('"')) return true;
      }
      word += rest_.front();
    }
    return false;
  }

  bool skip(std::size_t count) {
    std::string word;
    while (count-- > 0)
      if (!next(word)) return false;
    return true;
  }

  std::optional<std::uint64_t> number() {
    std::string word;
    return next(word) ? parse_u64(word) : std::nullopt;
  }

 private:
  std::string_view rest_;
};

constexpr std::uint64_t most_hosts = 1'000'000;

/// Hosts as they follow their number: "16*host1", or "host1" as often as it has slots. Each once, in order of names.
bool take_hosts(Words& words, Job& job) {
  const auto count = words.number();
  if (!count || *count > most_hosts) return false;
  std::vector<std::string> seen;
  std::string word;
  for (std::uint64_t i = 0; i < *count; ++i) {
    if (!words.next(word)) return false;
    std::string host = word.substr(word.find('*') == std::string::npos ? 0 : word.find('*') + 1);
    if (!host.empty() && (seen.empty() || seen.back() != host)) seen.push_back(std::move(host));
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const std::string& host : seen) job.node_list += (job.node_list.empty() ? "" : ",") + as_utf8(host);
  job.nodes = seen.size();
  return true;
}

class AccountingLines {
 public:
  explicit AccountingLines(Harvest& harvest) : harvest_(harvest) {}

  void read_record(std::string_view line, std::uint64_t number) {
    if (!line.starts_with(finished)) {
      std::string kind;
      if (!line.starts_with('"') || !Words(line).next(kind)) return harvest_.reject(number, line, "no record of lsb.acct");
      return harvest_.leave_out(fmt::format("record {} (only JOB_FINISH is about a job)", excerpt(kind)));
    }
    Job job;
    if (const std::string_view problem = read_job(Words(line), job); !problem.empty()) return harvest_.reject(number, line, problem);
    if (job.start == no_time) return harvest_.leave_out("job never ran");
    if (job.end < job.start) return harvest_.reject(number, line, "the job ends before it starts");
    harvest_.job(std::move(job));
  }

 private:
  static Time moment(std::optional<std::uint64_t> seconds) {
    return seconds && *seconds > 0 && *seconds < 100'000'000'000 ? time_from_seconds(static_cast<std::int64_t>(*seconds)) : no_time;
  }

  /// Empty, or what is wrong.
  static std::string_view read_job(Words words, Job& job) {
    constexpr std::string_view cut = "it ends too early";
    std::string word;
    if (!words.skip(2)) return cut;  // JOB_FINISH, version
    job.end = moment(words.number());
    if (job.end == no_time) return "its end is no time";
    const auto id = words.number();
    if (!id) return "no job id";
    if (!words.skip(3)) return cut;  // user id, options, slots
    job.submit = moment(words.number());
    if (!words.skip(2)) return cut;  // begin, deadline
    job.start = moment(words.number());
    if (!words.next(word)) return cut;
    job.user = as_utf8(word);
    if (!words.next(word)) return cut;
    job.partition = as_utf8(word);
    if (!words.skip(9)) return cut;  // requirements, dependency, command before, host, directory, three files, job file
    Job asked;
    if (!take_hosts(words, asked) || !take_hosts(words, job)) return "its hosts cannot be read";
    constexpr std::uint64_t exited = 32, done = 64;  // with other bits where something ran afterwards
    const auto status = words.number();
    if (!status || (*status & (exited | done)) == 0) return "its hosts or its status cannot be read";
    if (!words.skip(1) || !words.next(word)) return cut;  // factor, name
    job.name = as_utf8(word);
    job.state = (*status & done) != 0 ? "COMPLETED" : "FAILED";
    // An array's index stands after command, 19 numbers of usage, mail, project, exit status, slots, shell and time event.
    std::optional<std::uint64_t> index;
    if (words.skip(1 + 19 + 6)) index = words.number();
    job.id = index.value_or(0) > 0 ? fmt::format("{}[{}]", *id, *index) : fmt::format("{}", *id);
    return {};
  }

  Harvest& harvest_;
};

Result<void> read(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  AccountingLines records(harvest);
  return for_each_record(input, options, harvest, [&](std::string_view line, std::uint64_t number) { records.read_record(line, number); });
}

}  // namespace

extern const Reader lsf_acct;
constinit const Reader lsf_acct{
    .name = "lsf_acct",
    .summary = "LSF accounting files (lsb.acct)",
    .details =
        "`lsb.acct` and its rotated copies below `$LSB_SHAREDIR/CLUSTER/logdir`. Only `JOB_FINISH` records are about jobs; others are left "
        "out and counted by kind. A job ends at the time of its record. One whose "
        "start is 0 never ran and is left out.\n\n"
        "Hosts are taken once each, whether written `16*host` or once for each slot. Status 64 (DONE) becomes COMPLETED, 32 (EXIT) FAILED. "
        "A member of an array is the job `ID[INDEX]`. The queue becomes the partition.",
    .example =
        "\"JOB_FINISH\" \"9.11\" 1389683139 404717 22025 33882739 32 1389642318 0 0 1389642771 \"ann\" \"regular\" \"span[ptile=16]\" \"\" "
        "\"\" \"login4\" \"/scratch/ann\" \"\" \"%J.out\" \"%J.err\" \"1389642318.404717\" 0 2 "
        "\"16*n1201\" \"16*n1234\" 64 60.0 \"flow\" \"mpirun ./app\" 5793844.23 679.06 966960 0 -1 0 0 3026323 0 0 0 0 -1 0 0 0 12529329 "
        "6498459 -1 \"\" \"project\" 0 32 \"\" \"\" 0 10725376 0\n",
    .recognises =
        [](std::string_view first, std::string_view) {
          const std::string_view line = first_line_of(first);
          std::string kind, version;
          Words words(line);
          return line.starts_with('"') && words.next(kind) && words.next(version) && words.number().has_value() &&
                 (kind == "JOB_FINISH" || kind.starts_with("EVENT_ADRSV") || kind == "JOB_RESIZE" || kind == "ADRSV_FINISH");
        },
    .read = read};

}  // namespace fathom
