// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_job_log.h"

namespace fathom::titan {

namespace {

/// `2015-03-01T00:00:10`: sacct writes no zone.
std::string sacct_time(Millis t) {
  std::string text = format_iso8601(time_from_seconds(unix_seconds(t)));
  text.pop_back();
  return text;
}

/// `02:10:00`, `1-00:00:00`
std::string sacct_span(Millis length) {
  const Millis days = length / day;
  const std::string clock = fmt::format("{:02}:{:02}:{:02}", length % day / hour, length % hour / minute, length % minute / second);
  return days > 0 ? fmt::format("{}-{}", days, clock) : clock;
}

std::uint32_t user_number(std::string_view user) {
  std::uint32_t number = 2166136261u;  // FNV-1a
  for (const char c : user) number = (number ^ static_cast<unsigned char>(c)) * 16777619u;
  return 9000 + number % 20000;
}

std::string_view queue_of(const JobRecord& record) {
  if (record.application->nodes <= 16 && record.submission.limit <= hour) return "debug";
  return record.submission.limit >= 12 * hour && record.application->nodes < 128 ? "killable" : "batch";
}

}  // namespace

std::string sacct_line(const JobRecord& record) {
  const Submission& job = record.submission;
  const Application& app = *record.application;
  std::string state(record.state);
  if (state == "CANCELLED") state += fmt::format(" by {}", user_number(app.user));
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n",
                     job.array != 0 ? fmt::format("{}_{}", job.array, job.task) : fmt::format("{}", job.id), job.id, app.user, app.name,
                     queue_of(record), state, app.nodes, sacct_time(job.submit),
                     record.state == "PENDING" ? "Unknown" : sacct_time(record.start), record.ended() ? sacct_time(record.end) : "Unknown",
                     sacct_span(job.limit), record.ran ? node_list(record.nodes) : "None assigned");
}

Job as_job(const JobRecord& record) {
  const auto moment = [](Millis t) { return time_from_seconds(unix_seconds(t)); };
  Job job;
  job.id = fmt::format("{}", record.submission.id);
  job.user = record.application->user;
  job.name = record.application->name;
  job.nodes = record.application->nodes;
  job.node_list = node_list(record.nodes);
  job.submit = moment(record.submission.submit);
  job.start = moment(record.start);
  if (record.ended()) job.end = moment(record.end);
  job.time_limit = std::chrono::milliseconds{record.submission.limit};
  job.state = record.state;
  job.partition = queue_of(record);
  return job;
}

}  // namespace fathom::titan
