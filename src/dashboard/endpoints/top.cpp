// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dashboard/time_range.h"
#include "mine/pattern.h"

namespace fathom::dashboard {
namespace {

constexpr std::array parameters = {from_parameter, to_parameter, Parameter{"by", "job (default), user or application"},
                                   Parameter{"limit", "rows at most (default 20)", Parameter::Kind::whole}};
constexpr std::size_t bins = 400;

struct Moved {
  double read = 0, write = 0;
  double all() const { return read + write; }
};

/// Bytes of each job in this time: what its servers moved in bins that it ran in, shared evenly with the other jobs there.
std::vector<std::pair<std::uint32_t, Moved>> from_counters(const StoreMoment& moment, const Traffic& traffic, const AskedTime& time,
                                                           const std::vector<std::uint32_t>& rows) {
  const Machine& machine = moment.study->machine;
  std::map<std::string, std::vector<std::size_t>> places;  // of a server
  for (std::size_t i = 0; i < traffic.rows.places.size(); ++i) places[traffic.rows.places[i].server].push_back(i);
  struct Part {
    std::size_t job;
    double share;  // of the bin's time
  };
  // Who was on a server in a bin.
  std::vector<std::vector<std::pair<std::size_t, Part>>> on(machine.servers.size());
  const double origin = traffic.grid.from, step = traffic.grid.step;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t job = moment.machine_rows->at(rows[i]);
    if (job == UINT32_MAX) continue;
    const double start = std::max(moment.jobs->start[rows[i]], time.from);
    const double end = std::min(std::isnan(moment.jobs->end[rows[i]]) ? time.to : moment.jobs->end[rows[i]], time.to);
    for (const std::uint32_t server : machine.units[job])
      for (auto bin = static_cast<std::size_t>(std::max(0.0, (start - origin) / step));
           bin < traffic.grid.bins && origin + step * static_cast<double>(bin) < end; ++bin) {
        const double from = origin + step * static_cast<double>(bin);
        const double overlap = std::min(end, from + step) - std::max(start, from);
        if (overlap > 0) on[server].push_back({bin, {i, overlap / step}});
      }
  }
  std::vector<Moved> moved(rows.size());
  for (std::size_t server = 0; server < on.size(); ++server) {
    auto& parts = on[server];
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < parts.size();) {
      std::size_t end = i;
      double shares = 0;
      for (; end < parts.size() && parts[end].first == parts[i].first; ++end) shares += parts[end].second.share;
      Moved bin;
      for (const std::size_t place : places[machine.servers[server]]) {
        bin.read += traffic.rows.rows[place][parts[i].first].read;
        bin.write += traffic.rows.rows[place][parts[i].first].write;
      }
      // Jobs one after the other have their part of the bin; jobs at the same time share it.
      const double whole = std::max(1.0, shares);
      for (; i < end; ++i) {
        moved[parts[i].second.job].read += bin.read * parts[i].second.share / whole;
        moved[parts[i].second.job].write += bin.write * parts[i].second.share / whole;
      }
    }
  }
  std::vector<std::pair<std::uint32_t, Moved>> found;
  for (std::size_t i = 0; i < rows.size(); ++i) found.emplace_back(rows[i], moved[i]);
  return found;
}

/// Servers are shared: what jobs of known applications move, by their patterns.
std::vector<std::pair<std::uint32_t, Moved>> from_patterns(const StoreMoment& moment, const AskedTime& time,
                                                           const std::vector<std::uint32_t>& rows) {
  const JobTable& jobs = *moment.jobs;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, const mine::Finding*> known;
  for (const mine::KnownApplication& each : *moment.applications)
    if (each.finding.state == mine::ApplicationState::validated)
      known[{each.finding.name.user, each.finding.name.name, each.finding.name.nodes}] = &each.finding;
  std::vector<std::pair<std::uint32_t, Moved>> found;
  for (const std::uint32_t row : rows) {
    const auto at = known.find({jobs.users[jobs.user[row]], jobs.names[jobs.name[row]], jobs.nodes[row]});
    if (at == known.end()) continue;
    const double seconds = std::min(std::isnan(jobs.end[row]) ? time.to : jobs.end[row], time.to) - std::max(jobs.start[row], time.from);
    Moved moved;
    for (const mine::Pattern& pattern : at->second->patterns) {
      if (pattern.verdict != mine::Verdict::valid || !(pattern.period > 0)) continue;
      const double bytes = std::isfinite(pattern.burst_bytes) ? pattern.burst_bytes : pattern.coarse_bytes;
      if (std::isfinite(bytes)) (pattern.direction == 0 ? moved.read : moved.write) += bytes * std::max(0.0, seconds) / pattern.period;
    }
    found.emplace_back(row, moved);
  }
  return found;
}

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  const std::string by = call.text_or("by", "job");
  if (by != "job" && by != "user" && by != "application")
    return Error{ErrorKind::usage, fmt::format("reading parameter by: {} is neither job, user nor application", excerpt(by))};
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const AskedTime time, asked_time(*moment, call));
  const JobTable& jobs = *moment->jobs;
  const std::vector<std::uint32_t> rows = jobs.overlapping(time.from, time.to);
  TRY(const Traffic traffic, traffic_by_server(*moment, time, bins, {}));
  double total = 0;
  for (const auto& row : traffic.rows.rows)
    for (std::size_t bin = 0; bin < row.size(); ++bin) {
      const double from = traffic.grid.from + traffic.grid.step * static_cast<double>(bin);
      const double inside = std::max(0.0, std::min(time.to, from + traffic.grid.step) - std::max(time.from, from)) / traffic.grid.step;
      total += (row[bin].read + row[bin].write) * inside;
    }
  const bool by_counters = moment->study != nullptr && !moment->shared;
  if (!by_counters && !moment->shared && moment->study_problem.empty())
    return Error{ErrorKind::busy, "jobs and counters are being brought together; try again in a moment"};
  const auto moved = by_counters ? from_counters(*moment, traffic, time, rows) : from_patterns(*moment, time, rows);
  struct Sum {
    Moved moved;
    std::uint64_t jobs = 0;
    std::uint32_t row = 0;
  };
  std::map<std::string, Sum> sums;
  double explained = 0;
  for (const auto& [row, amount] : moved) {
    if (amount.all() <= 0) continue;
    const std::string& user = jobs.users[jobs.user[row]];
    const std::string key = by == "job"    ? fmt::format("{}\t{:.6f}", jobs.ids[row], jobs.start[row])
                            : by == "user" ? user
                                           : fmt::format("{}/{}/{}", user, jobs.names[jobs.name[row]], jobs.nodes[row]);
    Sum& sum = sums[key];
    sum.moved.read += amount.read;
    sum.moved.write += amount.write;
    ++sum.jobs;
    sum.row = row;
    explained += amount.all();
  }
  std::vector<std::pair<std::string, Sum>> order(sums.begin(), sums.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second.moved.all() > b.second.moved.all(); });
  const std::size_t limit = std::min<std::size_t>(order.size(), call.whole_within("limit", 20, 1, 200));
  Json list = Json::array();
  for (std::size_t i = 0; i < limit; ++i) {
    const Sum& sum = order[i].second;
    const bool named = by != "user";
    list.push_back({{"key", order[i].first.substr(0, order[i].first.find('\t'))},
                    {"user", jobs.users[jobs.user[sum.row]]},
                    {"name", named ? jobs.names[jobs.name[sum.row]] : ""},
                    {"nodes", named && jobs.nodes[sum.row] > 0 ? Json(jobs.nodes[sum.row]) : Json(nullptr)},
                    {"jobs", sum.jobs},
                    {"read_bytes", sum.moved.read},
                    {"write_bytes", sum.moved.write},
                    {"start", by == "job" ? Json(jobs.start[sum.row]) : Json(nullptr)}});
  }
  return json_reply({{"by", by},
                     {"method", by_counters ? "counters" : "patterns"},
                     {"total", total},
                     {"explained", explained},
                     {"rows", std::move(list)},
                     {"prepared", traffic.rows.prepared}});
}

}  // namespace

namespace endpoints {
extern const Endpoint top;
constinit const Endpoint top{.method = "GET",
                             .path = "/stores/{store}/top",
                             .summary = "Who moves most: jobs, users or applications",
                             .answers = "Top",
                             .parameters = parameters,
                             .answer = answer,
                             .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
