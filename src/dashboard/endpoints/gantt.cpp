// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dashboard/job_filter.h"
#include "dashboard/time_range.h"

namespace fathom::dashboard {
namespace {

constexpr std::array parameters = {from_parameter, to_parameter, Parameter{"limit", "jobs at most (default 200)", Parameter::Kind::whole},
                                   Parameter{"user", "jobs of this user"}, Parameter{"name", "jobs of this name"}};

/// The first lane that is free when a job begins; jobs by start.
std::vector<std::size_t> lanes_of(const JobTable& jobs, const std::vector<std::uint32_t>& rows) {
  std::vector<double> free_at;
  std::vector<std::size_t> lanes;
  for (const std::uint32_t row : rows) {
    std::size_t lane = 0;
    while (lane < free_at.size() && free_at[lane] > jobs.start[row]) ++lane;
    if (lane == free_at.size()) free_at.push_back(0);
    free_at[lane] = std::isnan(jobs.end[row]) ? 1e300 : jobs.end[row];
    lanes.push_back(lane);
  }
  return lanes;
}

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  const JobTable& jobs = *moment->jobs;
  AskedTime time{0, 0};
  if (moment->counters) {
    TRY(time, asked_time(*moment, call));
  } else {
    time = {call.number("from").value_or(jobs.size() > 0 ? jobs.start.front() : 0),
            call.number("to").value_or(jobs.size() > 0 ? jobs.start.back() + jobs.longest : 1)};
  }
  std::vector<std::uint32_t> rows = jobs.overlapping(time.from, time.to);
  const auto user = call.text("user"), name = call.text("name");
  std::erase_if(rows, [&](std::uint32_t row) {
    return (user && jobs.users[jobs.user[row]] != *user) || (name && jobs.names[jobs.name[row]] != *name);
  });
  const std::size_t overlapping = rows.size();
  TRY(const std::vector<KeptSetting> settings, moment->kept->settings());
  std::shared_ptr<const JobColumn> bytes;
  if (!settings.empty()) {
    TRY(bytes, moment->kept->column(settings.front(), "total_bytes"));
  }
  // The part of a job in this time counts.
  const auto weight = [&](std::uint32_t row) {
    const double end = std::isnan(jobs.end[row]) ? time.to : jobs.end[row];
    const double seconds = std::max(0.0, std::min(end, time.to) - std::max(jobs.start[row], time.from));
    if (!bytes) return seconds * std::max<double>(1, jobs.nodes[row]);
    const double moved = bytes->values[row];
    return std::isfinite(moved) && end > jobs.start[row] ? moved * seconds / (end - jobs.start[row]) : 0;
  };
  const std::size_t limit = call.whole_within("limit", 200, 1, 2000);
  if (rows.size() > limit) {
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const std::uint32_t row : rows) order.emplace_back(-weight(row), row);
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(limit), order.end());
    rows.clear();
    for (std::size_t i = 0; i < limit; ++i) rows.push_back(order[i].second);
    std::sort(rows.begin(), rows.end());
  }
  const std::vector<std::size_t> lanes = lanes_of(jobs, rows);
  Json list = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t row = rows[i];
    list.push_back({{"job_id", jobs.ids[row]},
                    {"user", jobs.users[jobs.user[row]]},
                    {"name", jobs.names[jobs.name[row]]},
                    {"nodes", jobs.nodes[row] > 0 ? Json(jobs.nodes[row]) : Json(nullptr)},
                    {"start", jobs.start[row]},
                    {"end", number_or_null(jobs.end[row])},
                    {"lane", lanes[i]},
                    {"bytes", bytes ? number_or_null(bytes->values[row]) : Json(nullptr)}});
  }
  const std::size_t most = lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end()) + 1;
  return json_reply(
      {{"jobs", std::move(list)}, {"lanes", most}, {"overlapping", overlapping}, {"chosen_by", bytes ? "bytes" : "node_seconds"}});
}

}  // namespace

namespace endpoints {
extern const Endpoint gantt;
constinit const Endpoint gantt{.method = "GET",
                               .path = "/stores/{store}/gantt",
                               .summary = "Jobs over time, the largest of them",
                               .answers = "Gantt",
                               .parameters = parameters,
                               .answer = answer,
                               .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
