// SPDX-License-Identifier: Apache-2.0
#include "characterise/top.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "characterise/machine.h"
#include "characterise/own_view.h"
#include "characterise/study.h"
#include "store/increment_scan.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

constexpr Duration an_hour = std::chrono::hours(1);

/// The hour of the clock in which the servers moved most; an increment counts where it ended.
Result<Time> busiest_hour(const Snapshot& snapshot, Database& database) {
  TRY(Rows rows,
      database.query(fmt::format("WITH seen AS (SELECT server, end_time, coalesce(read_bytes, 0) + coalesce(write_bytes, 0) AS bytes, CASE "
                                 "WHEN coalesce(job, '') <> '' THEN 1 WHEN filesystem = '' THEN 2 ELSE 3 END AS view FROM {}), "
                                 "best AS (SELECT server, max(view) AS view FROM seen GROUP BY server) "
                                 "SELECT epoch_us(date_trunc('hour', end_time - INTERVAL 1 MICROSECOND)) AS hour, sum(bytes)::DOUBLE FROM "
                                 "seen JOIN best USING (server, view) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1",
                                 snapshot.rows_of(increments_table))));
  Time hour = no_time;
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r) hour = time_from_micros(rows.number(0, r));
  TRY_VOID(rows.status());
  return hour;
}

/// What one of them moved, slot by slot.
struct Account {
  MovedAmounts moved{};
  CounterMask has = 0;
  std::unordered_map<std::int64_t, double> slots;  // bytes
  std::set<std::uint32_t> jobs, servers;

  double peak(std::int64_t slot) const {
    double most = 0;
    for (const auto& [at, bytes] : slots) most = std::max(most, bytes);
    return most * 1e6 / static_cast<double>(slot);
  }
};

/// Adds the part of even flows that lies in the span.
class Counting {
 public:
  Counting(std::int64_t from, std::int64_t to, std::int64_t slot) : from_(from), to_(to), slot_(slot) {}

  /// `amounts` flow from `begin` to `end` and take `spread` for it.
  template <class Amounts>
  MovedAmounts add(Account& account, std::int64_t begin, std::int64_t end, std::int64_t spread, const Amounts& amounts) const {
    MovedAmounts all{};
    begin = std::max(begin, from_);
    end = std::min(end, to_);
    while (begin < end) {
      const std::int64_t at = begin / slot_, until = std::min(end, (at + 1) * slot_);
      const double share = static_cast<double>(until - begin) / static_cast<double>(spread);
      for (std::size_t f = 0; f < flow_count; ++f) all[f] += static_cast<double>(amounts[f]) * share;
      account.slots[at] += static_cast<double>(amounts[0] + amounts[1]) * share;
      begin = until;
    }
    for (std::size_t f = 0; f < flow_count; ++f) account.moved[f] += all[f];
    return all;
  }

 private:
  std::int64_t from_, to_, slot_;
};

class Finder {
 public:
  Finder(const Machine& machine, const std::vector<std::string>& shared, const TopOptions& options, TopAnswer& answer)
      : machine_(machine),
        shared_(shared.begin(), shared.end()),
        by_(options.by),
        answer_(answer),
        counting_(micros(answer.from), micros(answer.to), answer.slot.count()),
        linked_(machine.servers.size()),
        jobs_of_(machine.servers.size()) {
    for (std::uint32_t s = 0; s < machine.series.size(); ++s) {
      numbers_[machine.series[s].name] = s;
      view_.see(machine.series[s].name);
      if (!machine.series[s].name.job.empty()) shared_.insert(machine.series[s].name.server);
    }
  }

  Result<void> read(const Snapshot& snapshot, Database& database, const std::function<void(double share)>& progress) {
    const std::vector<std::uint8_t> wanted(machine_.jobs.size(), 1);
    SeriesIndex index;
    const ScanOptions scan{.counters = static_cast<CounterMask>((1u << flow_count) - 1), .after = answer_.from};
    std::vector<std::int32_t> days = increment_days(snapshot);
    std::erase_if(days, [&](std::int32_t day) { return day < day_of(answer_.from) || day > day_of(answer_.to) + 1; });
    std::size_t done = 0;
    for (const std::int32_t day : days) {
      Linker linker(LinkStrategy::weighted, machine_.spans, machine_.rules);
      TRY_VOID(scan_increments(snapshot, database, day, index, scan, [&](const IncrementRun& found) {
        IncrementRun run = found;
        run.series = numbers_.at(index.names()[found.series]);
        if (view_.holds(machine_.series[run.series].name)) count_server(run);
        linker.link(run, wanted);
      }));
      for (const LinkedPart& part : linker.take_parts()) count_job(part);
      progress(static_cast<double>(++done) / static_cast<double>(days.size()));
    }
    return {};
  }

  void finish() {
    for (std::size_t s = 0; s < machine_.servers.size(); ++s) {
      const auto own = servers_.find(static_cast<std::uint32_t>(s));
      if (own == servers_.end()) continue;
      ++answer_.servers;
      answer_.has |= own->second.has;
      MovedAmounts& rest = shared_.contains(machine_.servers[s]) ? answer_.nameless : answer_.idle;
      for (std::size_t f = 0; f < flow_count; ++f) {
        answer_.total[f] += own->second.moved[f];
        answer_.of_jobs[f] += linked_[s][f];
        rest[f] += std::max(0.0, own->second.moved[f] - linked_[s][f]);
      }
    }
    answer_.jobs = busy_jobs_.size();
    by_ == TopBy::server ? list_servers() : list_owners();
    std::stable_sort(answer_.movers.begin(), answer_.movers.end(),
                     [](const Mover& a, const Mover& b) { return bytes_of(a.moved) > bytes_of(b.moved); });
  }

 private:
  using Owner = std::tuple<std::string, std::string, std::uint64_t, std::string>;  // user, name, nodes, job id and start

  void count_server(const IncrementRun& run) {
    Account& account = servers_[machine_.series[run.series].server];
    for (std::size_t i = 0; i < run.size; ++i) {
      std::array<std::int64_t, flow_count> amounts{};
      for (std::size_t f = 0; f < flow_count; ++f) {
        if (!run.has(f, i)) continue;
        amounts[f] = run.amounts[f][i];
        account.has |= static_cast<CounterMask>(1u << f);
      }
      if (run.end[i] > run.start[i]) counting_.add(account, run.start[i], run.end[i], run.end[i] - run.start[i], amounts);
    }
  }

  Owner owner_of(std::uint32_t number) const {
    const Job& job = machine_.jobs[number];
    if (by_ == TopBy::user) return {job.user, "", 0, ""};
    return {job.user, job.name, job.nodes, by_ == TopBy::job ? fmt::format("{} {}", job.id, number) : ""};
  }

  void count_job(const LinkedPart& part) {
    const std::uint32_t server = machine_.series[part.series].server;
    Account& account = owners_[owner_of(part.job)];
    bool any = false;
    for (const auto* stretches : {&part.inner, &part.edge})
      for (const Stretch& stretch : *stretches) {
        const MovedAmounts added = counting_.add(account, stretch.from, stretch.to, stretch.spread, stretch.amounts);
        for (std::size_t f = 0; f < flow_count; ++f) linked_[server][f] += added[f];
        any = any || ops_of(added) > 0 || bytes_of(added) > 0;
      }
    if (!any) return;
    account.has |= part.has;
    account.jobs.insert(part.job);
    account.servers.insert(server);
    jobs_of_[server].insert(part.job);
    busy_jobs_.insert(part.job);
  }

  void list_owners() {
    for (const auto& [owner, account] : owners_) {
      if (account.jobs.empty()) continue;
      const auto& [user, name, nodes, id] = owner;
      answer_.movers.push_back({.job_id = id.substr(0, id.rfind(' ')),
                                .user = user,
                                .name = name,
                                .server = {},
                                .nodes = nodes,
                                .jobs = account.jobs.size(),
                                .servers = account.servers.size(),
                                .moved = account.moved,
                                .has = account.has,
                                .peak = account.peak(answer_.slot.count())});
    }
  }

  void list_servers() {
    for (const auto& [server, account] : servers_)
      answer_.movers.push_back({.job_id = {},
                                .user = {},
                                .name = {},
                                .server = machine_.servers[server],
                                .nodes = 0,
                                .jobs = jobs_of_[server].size(),
                                .servers = 1,
                                .moved = account.moved,
                                .has = account.has,
                                .peak = account.peak(answer_.slot.count())});
  }

  const Machine& machine_;
  std::set<std::string> shared_;
  TopBy by_;
  TopAnswer& answer_;
  Counting counting_;
  OwnView view_;
  std::map<SeriesName, SeriesId> numbers_;
  std::map<std::uint32_t, Account> servers_;
  std::map<Owner, Account> owners_;
  std::vector<MovedAmounts> linked_;  // to jobs, by server
  std::vector<std::set<std::uint32_t>> jobs_of_;
  std::set<std::uint32_t> busy_jobs_;
};

/// Nothing is known below the sampling step: the usual one of most servers, in whole seconds.
Duration slot_of(const Machine& machine) {
  OwnView view;
  for (const MachineSeries& series : machine.series) view.see(series.name);
  std::vector<std::int64_t> steps;
  for (const MachineSeries& series : machine.series)
    if (view.holds(series.name) && series.usual_interval > 0) steps.push_back(series.usual_interval);
  if (steps.empty()) return std::chrono::seconds(1);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  return Duration{std::max<std::int64_t>(1, (steps[steps.size() / 2] + 999'999) / 1'000'000) * 1'000'000};
}

Result<void> choose_span(const Snapshot& snapshot, Database& database, const Machine& machine, const TopOptions& options,
                         TopAnswer& answer) {
  const std::int64_t end = *std::max_element(machine.latest.begin(), machine.latest.end());
  const std::int64_t begin = *std::min_element(machine.earliest.begin(), machine.earliest.end());
  answer.from = options.from == no_time ? time_from_micros(begin) : options.from;
  answer.to = options.to == no_time ? time_from_micros(end) : options.to;
  if (options.last.count() > 0) answer.from = answer.to - options.last;
  if (options.from == no_time && options.to == no_time && options.last.count() == 0) {
    TRY(answer.from, busiest_hour(snapshot, database));
    answer.to = answer.from + an_hour;
    answer.busiest_hour = true;
  }
  if (answer.from >= answer.to)
    return Error{ErrorKind::usage, fmt::format("looking for who is busiest: the time from {} to {} is empty", format_iso8601(answer.from),
                                               format_iso8601(answer.to))};
  return {};
}

}  // namespace

Result<TopAnswer> find_top(const Snapshot& snapshot, const TopOptions& options) {
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  TRY(Database database, Database::open({.threads = threads}));
  const std::vector<std::int32_t> days = increment_days(snapshot);
  if (days.empty()) return Error{ErrorKind::not_found, "looking for who is busiest: the store holds no counters"};
  TRY(std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  const auto gathered = [&](std::size_t done) { options.progress(0.5 * static_cast<double>(done) / static_cast<double>(days.size())); };
  TRY(const IncrementFacts facts, gather_facts(snapshot, days, threads, gathered));
  TRY(const std::vector<std::string> shared, shared_servers(snapshot, database));
  TRY(const Machine machine,
      build_machine(std::move(jobs), facts,
                    {.link = LinkStrategy::weighted, .filesystem = {}, .shared_servers = shared, .unlinked_is_nobodys = true}));
  TopAnswer answer;
  answer.slot = slot_of(machine);
  TRY_VOID(choose_span(snapshot, database, machine, options, answer));
  Finder finder(machine, shared, options, answer);
  TRY_VOID(finder.read(snapshot, database, [&](double share) { options.progress(0.5 + 0.5 * share); }));
  finder.finish();
  return answer;
}

}  // namespace fathom
