// SPDX-License-Identifier: Apache-2.0
#include "slurm/commands.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"
#include "collect/run_command.h"
#include "slurm/job_log.h"

namespace fathom::slurm {
namespace {

constexpr std::size_t largest_answer = std::size_t{512} << 20;

/// Seconds since the epoch are not taken by sacct: UTC, as TZ says.
std::string as_sacct_takes_it(Time t) {
  std::string text = format_iso8601(Time{std::chrono::floor<std::chrono::seconds>(t)});
  if (text.ends_with('Z')) text.pop_back();
  return text;
}

}  // namespace

Commands::Commands(Duration limit) : limit_(limit) {
  ::setenv("TZ", "UTC", 1);
  ::setenv("SLURM_TIME_FORMAT", "%s", 1);
  for (const char* name : {"SQUEUE_ALL", "SQUEUE_ARRAY", "SQUEUE_FORMAT", "SQUEUE_FORMAT2", "SQUEUE_SORT", "SQUEUE_STATES", "SQUEUE_USERS",
                           "SQUEUE_PARTITION", "SQUEUE_NAMES", "SACCT_FEDERATION"})
    ::unsetenv(name);
}

Result<Queue> Commands::queue() {
  const std::string mark = make_mark();
  TRY(const std::string text,
      run_command({"squeue", "--all", "--noheader", "--local", "--states=PENDING,CONFIGURING,RUNNING,SUSPENDED,COMPLETING", "--sort=i",
                   "--format=" + queue_format(mark)},
                  {}, {limit_, largest_answer}));
  return parse_queue(text, mark);
}

Result<std::map<JobId, Time>> Commands::eligible(std::span<const JobId> jobs) {
  std::map<JobId, Time> found;
  constexpr std::size_t at_once = 1000;  // far below what a command line holds
  for (std::size_t begin = 0; begin < jobs.size(); begin += at_once) {
    const auto some = jobs.subspan(begin, std::min(at_once, jobs.size() - begin));
    const std::string mark = make_mark();
    // All states: squeue fails if one job alone is asked for and is gone.
    TRY(const std::string text, run_command({"squeue", "--all", "--noheader", "--local", "--states=all",
                                             fmt::format("--jobs={}", fmt::join(some, ",")), "--Format=" + eligible_format(mark)},
                                            {}, {limit_, largest_answer}));
    found.merge(parse_eligible(text, mark));
  }
  return found;
}

Result<std::string> Commands::note(JobId job) {
  TRY(const std::string text, run_command({"scontrol", "show", "job", fmt::format("{}", job)}, {}, {limit_, largest_answer}));
  return note_in(text);
}

Result<void> Commands::begin_in(JobId job, std::int64_t seconds, const std::string& note) {
  std::vector<std::string> words{"scontrol", "update", fmt::format("JobId={}", job),
                                 seconds > 0 ? fmt::format("StartTime=now+{}", seconds) : "StartTime=now"};
  if (!without_notes_) {
    words.push_back("AdminComment=" + note);
    const auto done = run_command(words, {}, {limit_, largest_answer});
    if (done) return {};
    if (done.error().message.find("permission denied") == std::string::npos) return done.error();
    words.pop_back();
  }
  TRY_VOID(run_command(words, {}, {limit_, largest_answer}));
  without_notes_ = true;
  return {};
}

Result<std::string> Commands::job_log(Time from, Time to) const {
  const std::string mark = make_mark();
  TRY(const std::string text,
      run_command({"sacct", "--allusers", "--allocations", "--duplicates", "--parsable2", "--noconvert", "--delimiter=" + mark,
                   "--starttime=" + as_sacct_takes_it(from), "--endtime=" + as_sacct_takes_it(to),
                   fmt::format("--format={}", fmt::join(job_log_columns, ","))},
                  {}, {std::max<Duration>(limit_, std::chrono::minutes(10)), largest_answer}));
  return without_marks(text, mark);
}

std::string note_in(std::string_view shown) {
  constexpr std::string_view label = "\n   AdminComment=";
  const std::size_t at = shown.rfind(label);
  if (at == std::string_view::npos) return {};
  std::string_view rest = shown.substr(at + label.size());
  return as_utf8(trim(take_until(rest, '\n')));
}

}  // namespace fathom::slurm
