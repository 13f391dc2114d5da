// SPDX-License-Identifier: Apache-2.0
#include "characterise/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/increment.h"

namespace fathom {
namespace {

void number_servers(Machine& machine, const IncrementFacts& facts) {
  std::set<std::string> names;
  for (const auto& [name, lengths] : facts.lengths) names.insert(name.server);
  for (const Job& job : machine.jobs) names.insert(job.servers.begin(), job.servers.end());
  machine.servers.assign(names.begin(), names.end());
  for (std::uint32_t i = 0; i < machine.servers.size(); ++i) machine.server_ids.emplace(machine.servers[i], i);
}

/// Per server: job tags if it has any (they are exact), else file systems, else its total. In a window tags say nothing that
/// the server's own counters do not say better.
std::vector<std::uint8_t> choose_series(const std::vector<MachineSeries>& series, std::size_t servers, const MachineOptions& options) {
  const auto rank = [&](const SeriesName& name) {
    if (!name.job.empty()) return options.link == LinkStrategy::window ? 1 : 4;
    return name.filesystem.empty() ? 2 : 3;
  };
  std::vector<int> best(servers, 0);
  for (const MachineSeries& s : series) best[s.server] = std::max(best[s.server], rank(s.name));
  std::vector<std::uint8_t> chosen;
  for (const MachineSeries& s : series)
    chosen.push_back(rank(s.name) == best[s.server] && (options.filesystem.empty() || s.name.filesystem == options.filesystem));
  return chosen;
}

void place_days(Machine& machine, const IncrementFacts& facts) {
  for (const auto& [day, servers] : facts.days) {
    machine.days.push_back(day);
    auto& ranges = machine.ranges.emplace_back(machine.servers.size());
    TimeRange whole;
    for (const auto& [server, range] : servers) {
      ranges[machine.server_ids.at(server)] = range;
      whole.add(range.from, range.to);
    }
    machine.latest.push_back(machine.latest.empty() ? whole.to : std::max(whole.to, machine.latest.back()));
    machine.earliest.push_back(whole.from);
  }
  for (std::size_t d = machine.earliest.size(); d-- > 1;) machine.earliest[d - 1] = std::min(machine.earliest[d - 1], machine.earliest[d]);
}

/// The jobs of each server, of each tag, or of everything.
class ScheduleBook {
 public:
  explicit ScheduleBook(Machine& machine) : machine_(machine), by_server_(machine.servers.size(), nullptr) {
    for (std::uint32_t j = 0; j < machine.jobs.size(); ++j) by_id_[machine.jobs[j].id].push_back(j);
    std::vector<std::vector<std::uint32_t>> of_server(machine.servers.size());
    for (std::uint32_t j = 0; j < machine.jobs.size(); ++j)
      for (const std::string& server : machine.jobs[j].servers) of_server[machine.server_ids.at(server)].push_back(j);
    for (std::size_t s = 0; s < of_server.size(); ++s) {
      by_server_[s] = add(std::move(of_server[s]));
      if (!by_server_[s]->apart()) ++machine.simultaneous;
    }
  }
  const Schedule* of_server(std::uint32_t server) const { return by_server_[server]; }
  const Schedule* of_tag(const std::string& id) {
    const auto found = by_id_.find(id);
    auto& schedule = by_tag_[id];
    if (schedule == nullptr) schedule = add(found == by_id_.end() ? std::vector<std::uint32_t>{} : found->second);
    return schedule;
  }
  const Schedule* of_all() {
    if (all_ == nullptr) {
      std::vector<std::uint32_t> every(machine_.jobs.size());
      for (std::uint32_t j = 0; j < every.size(); ++j) every[j] = j;
      all_ = add(std::move(every));
    }
    return all_;
  }

 private:
  const Schedule* add(std::vector<std::uint32_t> jobs) { return &machine_.schedules.emplace_back(std::move(jobs), machine_.spans); }
  Machine& machine_;
  std::vector<const Schedule*> by_server_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_id_;
  std::unordered_map<std::string, const Schedule*> by_tag_;
  const Schedule* all_ = nullptr;
};

void set_units(Machine& machine, const std::vector<std::uint8_t>& chosen, const MachineOptions& options) {
  std::vector<std::set<std::uint32_t>> touched(machine.jobs.size());
  std::set<std::uint32_t> every, with_tags;
  machine.tagged.assign(machine.jobs.size(), 0);
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    if (!chosen[s]) continue;
    every.insert(machine.series[s].server);
    if (machine.series[s].name.job.empty() || options.link == LinkStrategy::window) continue;
    with_tags.insert(machine.series[s].server);
    for (const std::uint32_t job : machine.rules[s].schedule->jobs())
      touched[job].insert(machine.series[s].server), machine.tagged[job] = 1;
  }
  machine.units.resize(machine.jobs.size());
  for (std::uint32_t j = 0; j < machine.jobs.size(); ++j) {
    std::set<std::uint32_t> servers;
    if (options.link == LinkStrategy::window) {
      servers = every;
    } else {
      // Where servers tag their counters, those that the job touched; of the others, those that were its own.
      servers = touched[j];
      for (const std::string& server : machine.jobs[j].servers) {
        const std::uint32_t id = machine.server_ids.at(server);
        if (!machine.tagged[j] || !with_tags.contains(id)) servers.insert(id);
      }
    }
    machine.units[j].assign(servers.begin(), servers.end());
  }
}

}  // namespace

std::uint32_t Machine::server_id(std::string_view name) const {
  const auto found = server_ids.find(std::string(name));
  return found == server_ids.end() ? UINT32_MAX : found->second;
}

std::vector<std::uint32_t> Machine::days_of(std::uint32_t job) const {
  std::vector<std::uint32_t> found;
  const JobSpan& span = spans[job];
  // Increments are (start, end]: the one that holds the moment of a job without length overlaps the microsecond before it.
  const std::int64_t start = span.start == span.end ? span.start - 1 : span.start;
  auto d = static_cast<std::uint32_t>(std::upper_bound(latest.begin(), latest.end(), start) - latest.begin());
  for (; d < days.size() && earliest[d] < span.end; ++d)
    for (const std::uint32_t server : units[job])
      if (ranges[d][server].overlaps(start, span.end)) {
        found.push_back(d);
        break;
      }
  return found;
}

Result<Machine> build_machine(std::vector<Job> jobs, const IncrementFacts& facts, const MachineOptions& options) {
  Machine machine;
  machine.jobs = std::move(jobs);
  std::sort(machine.jobs.begin(), machine.jobs.end(),
            [](const Job& a, const Job& b) { return std::tie(a.start, a.id) < std::tie(b.start, b.id); });
  for (const Job& job : machine.jobs) machine.spans.push_back({micros(job.start), job.end == no_time ? INT64_MAX : micros(job.end)});
  number_servers(machine, facts);
  machine.visited.resize(machine.servers.size());
  for (const auto& [name, lengths] : facts.lengths) machine.series.push_back({name, machine.server_ids.at(name.server), lengths.median()});
  const std::vector<std::uint8_t> chosen = choose_series(machine.series, machine.servers.size(), options);
  const std::set<std::string> shared(options.shared_servers.begin(), options.shared_servers.end());
  ScheduleBook book(machine);
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    const MachineSeries& series = machine.series[s];
    SeriesRule& rule = machine.rules.emplace_back();
    rule.longest = static_cast<std::int64_t>(gap_factor * static_cast<double>(series.usual_interval));
    if (!chosen[s]) continue;
    if (options.link == LinkStrategy::window) {
      rule.schedule = book.of_all();
    } else if (!series.name.job.empty()) {
      rule.schedule = book.of_tag(series.name.job);
    } else if (shared.contains(series.name.server)) {
      if (options.unlinked_is_nobodys) continue;
      return Error{
          ErrorKind::unsupported,
          fmt::format("linking jobs to counters: server {} is shared by jobs and its counters carry no job tag, so nobody can say whose "
                      "bytes they are; use job-tagged counters (Lustre job_stats), or --link window for an upper bound",
                      series.name.server)};
    } else {
      rule.schedule = book.of_server(series.server);
    }
  }
  set_units(machine, chosen, options);
  place_days(machine, facts);
  return machine;
}

}  // namespace fathom
