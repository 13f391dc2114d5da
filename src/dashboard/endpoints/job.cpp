// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "characterise/annotations.h"
#include "characterise/job_view.h"
#include "dashboard/client_side.h"
#include "dashboard/job_filter.h"
#include "dashboard/trace_answers.h"
#include "population/job_report.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_beside = 50, client_bins = 1000;
constexpr std::array parameters = {
    Parameter{"start", "when it began, Unix seconds; needed where several jobs had this id (default: the latest)", Parameter::Kind::number},
    Parameter{"link", "how increments are linked to jobs: weighted (default), simple, discard, double-count or window"},
    Parameter{"threshold", "bytes per second above which a server is active (default 1 MiB)", Parameter::Kind::whole},
    Parameter{"filesystem", "this file system alone; default: the sum over all"}};
constexpr std::uint64_t usual_threshold = 1u << 20;

Result<std::uint32_t> row_of(const JobTable& jobs, const Call& call) {
  const std::vector<std::uint32_t> rows = jobs.rows_of(call.word("job"));
  if (rows.empty()) return Error{ErrorKind::not_found, fmt::format("there is no job {} in the store", call.word("job"))};
  const auto start = call.number("start");
  if (!start) return rows.back();
  for (const std::uint32_t row : rows)
    if (std::fabs(jobs.start[row] - *start) < 1) return row;
  return Error{ErrorKind::not_found, fmt::format("job {} did not start at {:.0f}", call.word("job"), *start)};
}

/// What all jobs' values are shown by.
struct Shown {
  std::shared_ptr<const JobColumn> read, write, coverage;
  Json row(const JobTable& jobs, std::uint32_t at) const { return job_row(jobs, at, read.get(), write.get(), coverage.get()); }
};

Result<Shown> shown_columns(const StoreMoment& moment) {
  Shown shown;
  TRY(const std::vector<KeptSetting> settings, moment.kept->settings());
  if (settings.empty()) return shown;
  TRY(shown.read, moment.kept->column(settings.front(), "read_bytes"));
  TRY(shown.write, moment.kept->column(settings.front(), "write_bytes"));
  TRY(shown.coverage, moment.kept->column(settings.front(), "coverage"));
  return shown;
}

bool share_a_server(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

void add_beside(Json& answer, const StoreMoment& moment, std::uint32_t row, const Shown& shown) {
  const JobTable& jobs = *moment.jobs;
  const double end = std::isnan(jobs.end[row]) ? 1e300 : jobs.end[row];
  std::vector<std::uint32_t> rows = jobs.overlapping(jobs.start[row], end);
  std::erase(rows, row);
  if (moment.study && !moment.shared) {
    const Machine& machine = moment.study->machine;
    const std::uint32_t own = moment.machine_rows->at(row);
    std::erase_if(rows, [&](std::uint32_t other) {
      const std::uint32_t job = moment.machine_rows->at(other);
      return own == UINT32_MAX || job == UINT32_MAX || !share_a_server(machine.units[own], machine.units[job]);
    });
  }
  answer["beside_total"] = rows.size();
  const auto size = [&](std::uint32_t other) {
    const double bytes = shown.read ? shown.read->values[other] + shown.write->values[other] : std::nan("");
    return std::isfinite(bytes) ? bytes : 1e-9 * static_cast<double>(jobs.nodes[other]);
  };
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return std::pair(-size(a), a) < std::pair(-size(b), b); });
  answer["beside"] = Json::array();
  for (std::size_t i = 0; i < std::min(rows.size(), most_beside); ++i) answer["beside"].push_back(shown.row(jobs, rows[i]));
}

/// Linked or judged in another way than all jobs are: the whole question is put to the store, as `fathom criteria --job` does.
Result<Json> report_otherwise(const StoreSource& source, const JobTable& jobs, std::uint32_t row, const Call& call) {
  StudyOptions options;
  const std::string link = call.text_or("link", link_names.front());
  const auto known = std::find(link_names.begin(), link_names.end(), link);
  if (known == link_names.end())
    return Error{ErrorKind::usage, fmt::format("reading parameter link: {} is none of {}", excerpt(link), fmt::join(link_names, ", "))};
  options.link = static_cast<LinkStrategy>(known - link_names.begin());
  options.thresholds = {std::min<std::uint64_t>(call.whole("threshold").value_or(usual_threshold), 1ull << 50)};
  options.filesystem = call.text_or("filesystem", "");
  options.job_ids = {jobs.ids[row]};
  options.distribution = true;
  TRY(const Store store, Store::open(source.path()));
  TRY(const Study found, study(store, options));
  for (std::size_t at = 0; at < found.analysis.jobs.size(); ++at) {
    const Job& job = found.machine.jobs[found.analysis.jobs[at]];
    if (unix_seconds(job.start) != jobs.start[row]) continue;
    TRY(const JobView view, look_at(found, at));
    TRY(const Annotations declared, declared_for(found, job));
    return Json(job_report(found, view, declared, ""));
  }
  return Error{ErrorKind::not_found, fmt::format("job {} is not in the store any more", jobs.ids[row])};
}

/// The job's report, or why there is none.
Result<Json> report_of(const StoreMoment& moment, std::uint32_t row, std::string& problem) {
  if (!moment.study) {
    problem = !moment.study_problem.empty() ? moment.study_problem
              : moment.counters             ? "jobs and counters are being brought together; try again in a moment"
                                            : "the store has no counters";
    return Json(nullptr);
  }
  const std::uint32_t job = moment.machine_rows->at(row);
  const Machine& machine = moment.study->machine;
  if (job == UINT32_MAX) {
    problem = "this job is newer than what is prepared; try again in a moment";
  } else if (machine.jobs[job].end == no_time) {
    problem = "it was still running when the job log was written, so its end is not known";
  } else if (machine.units[job].empty()) {
    problem = "no log says which servers were its own, and no counter carries its tag; ingest a server map (fathom ingest --map)";
  } else {
    TRY(const JobView view, look_at_job(*moment.study, job));
    TRY(const Annotations declared, declared_for(*moment.study, machine.jobs[job]));
    return Json(job_report(*moment.study, view, declared, ""));
  }
  return Json(nullptr);
}

/// What its processes counted: in slices that the store holds, and in traces that are served beside it. Of a run that is there twice the
/// trace is told, which is finer.
Result<Json> clients_of(const Dashboard& dashboard, const StoreMoment& moment, std::uint32_t row) {
  const JobTable& jobs = *moment.jobs;
  const double start = jobs.start[row], end = std::isnan(jobs.end[row]) ? 1e300 : jobs.end[row];
  TRY(Json clients, clients_from_slices(*moment.snapshot, jobs.ids[row], start, jobs.end[row]));
  for (const auto& each : dashboard.traces()) {
    if (each->job() != jobs.ids[row]) continue;
    const trace::Trace& run = each->trace();
    auto side = client_side(*each, std::max(start, static_cast<double>(run.start) / 1e9), std::min(end, static_cast<double>(run.end) / 1e9),
                            client_bins);
    if (!side) continue;
    std::erase_if(clients.get_ref<Json::array_t&>(),
                  [&](const Json& other) { return other["source"] == "slices" && whole_path(other["name"]) == whole_path(each->path()); });
    clients.push_back(std::move(*side));
  }
  return clients;
}

/// The store, and the traces of the job.
Result<std::string> version_of(Dashboard& dashboard, const Call& call) {
  TRY(std::string version, store_version(dashboard, call));
  for (const auto& each : dashboard.traces())
    if (each->job() == call.word("job")) version += "/" + each->version();
  return version;
}

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  const JobTable& jobs = *moment->jobs;
  TRY(const std::uint32_t row, row_of(jobs, call));
  TRY(const Shown shown, shown_columns(*moment));
  std::string problem;
  Json report;
  const bool usual = call.text_or("link", link_names.front()) == link_names.front() &&
                     call.whole("threshold").value_or(usual_threshold) == usual_threshold && call.text_or("filesystem", "").empty();
  if (usual) {
    TRY(report, report_of(*moment, row, problem));
  } else if (auto otherwise = report_otherwise(*source, jobs, row, call)) {
    report = std::move(*otherwise);
  } else if (otherwise.error().kind == ErrorKind::usage) {
    return otherwise.error();
  } else {
    problem = otherwise.error().message;
  }
  Json answer{{"job", shown.row(jobs, row)},
              {"report", std::move(report)},
              {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
              {"clients", Json::array()},
              {"application", nullptr}};
  TRY(answer["clients"], clients_of(dashboard, *moment, row));
  add_beside(answer, *moment, row, shown);
  const std::string &user = jobs.users[jobs.user[row]], &name = jobs.names[jobs.name[row]];
  for (const mine::KnownApplication& known : *moment->applications)
    if (known.finding.name.user == user && known.finding.name.name == name && known.finding.name.nodes == jobs.nodes[row])
      answer["application"] = {
          {"user", user}, {"name", name}, {"nodes", jobs.nodes[row]}, {"state", mine::state_name(known.finding.state)}};
  return json_reply(answer);
}

}  // namespace

namespace endpoints {
extern const Endpoint job;
constinit const Endpoint job{.method = "GET",
                             .path = "/stores/{store}/jobs/{job}",
                             .summary = "One job: its analysis map, timeline, servers, and who ran beside it",
                             .answers = "JobAnswer",
                             .parameters = parameters,
                             .answer = answer,
                             .version = version_of};
}  // namespace endpoints
}  // namespace fathom::dashboard
