// SPDX-License-Identifier: Apache-2.0
#include "mine/mining.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "base/parallel.h"
#include "mine/store_traffic.h"

namespace fathom::mine {
namespace {

/// Grows when the same runs and bursts lead to other findings.
constexpr std::uint64_t findings_version = 5;

/// So few new days are divided by file system too; the same on all ranks.
constexpr std::size_t few_days = 4;

const Error stopped{ErrorKind::interrupted, "mining: interrupted"};

/// Which of `count` things this process does.
std::vector<std::size_t> share_of(std::size_t count, const Exchange& exchange) {
  std::vector<std::size_t> mine;
  for (std::size_t i = static_cast<std::size_t>(exchange.rank); i < count; i += static_cast<std::size_t>(exchange.size)) mine.push_back(i);
  return mine;
}

/// Hashes of what an application's findings come from.
struct Inputs {
  std::string within, outside;

  std::string seen(bool looked_around) const { return looked_around ? within + outside : within; }
  bool same(const std::string& known) const { return known == within || known == within + outside; }
};

class Miner {
 public:
  Miner(const Store& store, const MiningOptions& options, const Exchange& exchange)
      : store_(store), options_(options), exchange_(exchange), threads_(options.threads > 0 ? options.threads : cores()) {}

  Result<MiningReport> run() {
    TRY(Snapshot snapshot, store_.snapshot());
    snapshot_.emplace(std::move(snapshot));
    TRY(Database database, Database::open({.threads = 1}));
    database_.emplace(std::move(database));
    TRY_VOID(bring_blocks());
    TRY_VOID(bring_applications());
    if (!exchange_.first()) return report_;
    TRY_VOID(keep());
    summarise();
    return report_;
  }

 private:
  Result<void> bring_blocks() {
    TRY(report_.filesystems, mined_filesystems(*snapshot_, *database_));
    std::map<BlockName, Block> known;
    if (!options_.anew) {
      TRY(std::vector<Block> kept, read_blocks(*snapshot_, *database_));
      for (Block& block : kept) {
        const BlockName name = block.name;
        known.emplace(name, std::move(block));
      }
    }
    std::vector<BlockName> missing;
    std::set<std::int32_t> days;
    for (BlockName& name : blocks_of(*snapshot_, report_.filesystems)) {
      if (options_.since != no_time && block_end(name.day) <= options_.since) continue;
      if (options_.until != no_time && Time{std::chrono::days{name.day}} >= options_.until) continue;
      ++report_.blocks;
      days.insert(name.day);
      const auto at = known.find(name);
      if (at != known.end() && at->second.inputs == mine::inputs_of(*snapshot_, name)) {
        blocks_.push_back(std::move(at->second));
      } else {
        missing.push_back(std::move(name));
      }
    }
    // What is left of days without counters goes; with --since or --until the rest of the store is nobody's business.
    if (options_.since == no_time && options_.until == no_time)
      for (const TableSchema* table : {&bursts_table, &burst_blocks_table})
        for (const Segment* segment : snapshot_->manifest().of(table->name))
          if (!days.contains(segment->day)) fresh_days_.insert(segment->day);
    report_.fresh_blocks = missing.size();
    TRY(std::vector<Block> found, find_missing(missing));
    for (Block& block : found) {
      fresh_days_.insert(block.name.day);
      blocks_.push_back(std::move(block));
    }
    std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.name < b.name; });
    return {};
  }

  Result<std::vector<Block>> find_missing(const std::vector<BlockName>& missing) {
    std::map<std::int32_t, std::vector<std::string>> by_day;  // a day's counters are read once for all of its file systems
    for (const BlockName& name : missing) by_day[name.day].push_back(name.filesystem);
    std::vector<std::pair<std::int32_t, std::vector<std::string>>> days(by_day.begin(), by_day.end());
    if (by_day.size() <= few_days) {  // for each by itself: else all but one of the cores would wait for a new day
      days.clear();
      for (const auto& [day, filesystems] : by_day)
        for (const std::string& filesystem : filesystems) days.push_back({day, {filesystem}});
    }
    const std::vector<std::size_t> own = share_of(days.size(), exchange_);
    std::vector<std::vector<Block>> found(own.size());
    std::vector<std::optional<Database>> databases(threads_);
    std::atomic<std::size_t> done = 0;
    TRY_VOID(in_parallel(own.size(), threads_, [&](unsigned thread, std::size_t i) -> Result<void> {
      if (options_.stop()) return stopped;
      if (!databases[thread]) {
        TRY(Database opened, Database::open({.threads = 1}));
        databases[thread].emplace(std::move(opened));
      }
      TRY(found[i], find_blocks(*snapshot_, *databases[thread], days[own[i]].second, days[own[i]].first));
      ++done;
      if (thread == 0) options_.progress("looking for bursts", done, own.size());
      return {};
    }));
    std::vector<Block> mine;
    for (std::vector<Block>& each : found) std::move(each.begin(), each.end(), std::back_inserter(mine));
    TRY(const std::vector<std::string> parts, exchange_.all_gather(pack_blocks(mine)));
    std::vector<Block> all;
    for (const std::string& part : parts) {
      TRY(std::vector<Block> blocks, unpack_blocks(part));
      std::move(blocks.begin(), blocks.end(), std::back_inserter(all));
    }
    return all;
  }

  Result<void> bring_applications() {
    TRY(const std::vector<Application> applications,
        applications_of(*snapshot_, *database_, options_.since, options_.until, report_.jobs_left_out));
    std::map<ApplicationName, KnownApplication> known;
    if (!options_.anew) {
      TRY(std::vector<KnownApplication> kept, read_knowledge(*snapshot_, *database_));
      for (KnownApplication& each : kept) known.emplace(each.finding.name, std::move(each));
    }
    const std::vector<BurstLog> logs = logs_of(blocks_);
    for (const BurstLog& log : logs) {
      report_.bursts[log.direction] += log.bursts.size();
      if (log.seen.empty()) continue;
      report_.from = report_.from == no_time ? log.seen.front().from : std::min(report_.from, log.seen.front().from);
      report_.to = std::max(report_.to, log.seen.back().to);
    }
    hash_days(logs);
    std::vector<const Application*> changed;
    std::vector<Inputs> inputs;
    for (const Application& application : applications) {
      report_.jobs += application.runs.size();
      Inputs hash = inputs_of(application);
      const auto at = known.find(application.name);
      if (at != known.end() && hash.same(at->second.inputs)) {
        known_.push_back(std::move(at->second));
        describe_runs(application, report_.to, known_.back().finding);
      } else {
        changed.push_back(&application);
        inputs.push_back(std::move(hash));
      }
    }
    report_.applications = applications.size();
    report_.examined = changed.size();
    return examine_all(changed, inputs, logs);
  }

  Result<void> examine_all(const std::vector<const Application*>& changed, const std::vector<Inputs>& inputs,
                           const std::vector<BurstLog>& logs) {
    const std::vector<TimedLog> timed(logs.begin(), logs.end());
    std::vector<std::size_t> own = share_of(changed.size(), exchange_);
    // The longest work first, so that no thread is left with it at the end.
    std::stable_sort(own.begin(), own.end(),
                     [&](std::size_t a, std::size_t b) { return changed[a]->runs.size() > changed[b]->runs.size(); });
    std::vector<KnownApplication> found(own.size());
    std::atomic<std::size_t> done = 0;
    TRY_VOID(in_parallel(own.size(), threads_, [&](unsigned thread, std::size_t i) -> Result<void> {
      if (options_.stop()) return stopped;
      Finding finding = examine(*changed[own[i]], timed, report_.to, options_.settings);
      std::string seen = inputs[own[i]].seen(finding.looked_around);
      found[i] = {std::move(finding), std::move(seen)};
      for (Pattern& pattern : found[i].finding.patterns) pattern.sightings.clear();
      ++done;
      if (thread == 0) options_.progress("examining applications", done, own.size());
      return {};
    }));
    TRY(const std::vector<std::string> parts, exchange_.gather(pack_knowledge(found)));
    for (const std::string& part : parts) {
      TRY(std::vector<KnownApplication> theirs, unpack_knowledge(part));
      for (KnownApplication& each : theirs) known_.push_back(std::move(each));
    }
    std::sort(known_.begin(), known_.end(),
              [](const KnownApplication& a, const KnownApplication& b) { return a.finding.name < b.finding.name; });
    return {};
  }

  void hash_days(const std::vector<BurstLog>& logs) {
    std::map<std::int32_t, Hash> hashes;
    for (const Block& block : blocks_) hashes[block.name.day].add(content_of(block));
    for (const auto& [day, hash] : hashes) days_[day] = hash.value();
    settings_.add(findings_version);
    for (const BurstLog& log : logs) settings_.add(static_cast<std::uint64_t>(log.step.count()));
    const PatternSettings& s = options_.settings;
    for (const double value :
         {s.common, s.spanning, s.seen, static_cast<double>(s.least_bursts), static_cast<double>(s.least_typical),
          static_cast<double>(s.support), s.scope_periods, s.scope_share, s.most_jitter, s.used, s.log10_chance, s.sure, s.log10_disorder})
      settings_.add(__builtin_bit_cast(std::uint64_t, value));
  }

  /// What examine() looks at: the runs that count and the bursts in them, and where it finds something to compare also what is around them:
  /// bursts, and runs that had begun.
  Inputs inputs_of(const Application& application) const {
    const Duration around{static_cast<std::int64_t>(horizon * 1e6)};
    const auto add_run = [](const Run& run, Hash& hash) {
      hash.add(static_cast<std::uint64_t>(micros(run.start))), hash.add(static_cast<std::uint64_t>(micros(run.end)));
    };
    const Time until = counted_until(application.runs);
    Hash within = settings_, outside = settings_;
    outside.add(static_cast<std::uint64_t>(micros(until)));
    for (const Run& run : application.runs) {
      const bool can_be = possible(run);
      if (can_be && run.end > until) {
        if (run.start < until) add_run(run, outside);
        continue;
      }
      add_run(run, within);
      if (!can_be) continue;
      add_days(run.start, run.end, within);
      add_days(run.start - around, std::min(run.end + around, until), outside);
    }
    return {fmt::format("{:016x}", within.value()), fmt::format("{:016x}", outside.value())};
  }

  void add_days(Time from, Time to, Hash& hash) const {
    const std::int32_t last = day_of(to + block_context);
    for (auto day = days_.lower_bound(day_of(from + block_context)); day != days_.end() && day->first <= last; ++day) hash.add(day->second);
  }

  Result<void> keep() {
    TRY(Transaction transaction, store_.begin());
    if (!fresh_days_.empty()) TRY_VOID(write_blocks(transaction, blocks_, {fresh_days_.begin(), fresh_days_.end()}));
    TRY_VOID(write_knowledge(transaction, known_));
    return transaction.commit();
  }

  void summarise() {
    for (const KnownApplication& known : known_) {
      const Finding& finding = known.finding;
      const auto has = [&](Verdict verdict) {
        return std::any_of(finding.patterns.begin(), finding.patterns.end(),
                           [&](const Pattern& pattern) { return pattern.verdict == verdict; });
      };
      report_.candidates += has(Verdict::valid) || has(Verdict::out_of_scope);
      report_.in_scope += has(Verdict::valid);
      ++report_.states[static_cast<std::size_t>(finding.state)];
      report_.provisional += finding.provisional;
    }
  }

  const Store& store_;
  const MiningOptions& options_;
  const Exchange& exchange_;
  unsigned threads_;
  std::optional<Snapshot> snapshot_;
  std::optional<Database> database_;
  std::vector<Block> blocks_;
  std::set<std::int32_t> fresh_days_;
  std::map<std::int32_t, std::uint64_t> days_;  // hash of what was found in a day's blocks
  Hash settings_;
  std::vector<KnownApplication> known_;
  MiningReport report_;
};

}  // namespace

Result<std::vector<Application>> applications_of(const Snapshot& snapshot, Database& database, Time since, Time until,
                                                 std::size_t& left_out) {
  std::string when = "true";
  if (since != no_time) when += fmt::format(" AND start_time >= make_timestamp({})", micros(since));
  if (until != no_time) when += fmt::format(" AND end_time <= make_timestamp({})", micros(until));
  TRY(Rows rows, database.query(fmt::format("SELECT coalesce(user_name, ''), coalesce(name, ''), coalesce(nodes, 0), job_id, start_time, "
                                            "end_time FROM {} WHERE {} ORDER BY 1, 2, 3, start_time, end_time, job_id",
                                            snapshot.rows_of(jobs_table), when)));
  std::vector<Application> applications;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Time start = rows.time(4, i), end = rows.time(5, i);
      if (start == no_time || end == no_time || end <= start) {
        ++left_out;
        continue;
      }
      const ApplicationName name{std::string(rows.text(0, i)), std::string(rows.text(1, i)), static_cast<std::uint32_t>(rows.number(2, i))};
      if (applications.empty() || applications.back().name != name) applications.push_back({name, {}});
      applications.back().runs.push_back({std::string(rows.text(3, i)), start, end});
    }
  TRY_VOID(rows.status());
  return applications;
}

Result<MiningReport> mine(const Store& store, const MiningOptions& options, const Exchange& exchange) {
  return Miner(store, options, exchange).run();
}

}  // namespace fathom::mine
