// SPDX-License-Identifier: Apache-2.0
#include "characterise/made_machine_test.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;

class Maker {
 public:
  Maker(std::uint64_t seed, const MadeKind& kind) : kind_(kind), chance_(seed) {}

  MadeMachine make() {
    choose_settings();
    choose_times();
    const std::int64_t servers = chance_.whole(1, 4);
    for (std::int64_t s = 0; s < servers; ++s) servers_.push_back(fmt::format("{}s{}", kind_.prefix, s));
    make_jobs(chance_.whole(1, 6));
    for (const std::string& server : servers_) add_server(server);
    if (made_.machine.series.empty()) add_series({servers_[0], "", ""});
    if (chance_.chance(0.2))  // a job's server that nobody measures
      for (Job& job : made_.machine.jobs)
        if (chance_.chance(0.5)) job.servers.push_back(kind_.prefix + "unmeasured");
    return std::move(made_);
  }

 private:
  std::int64_t log_uniform(double low, double high) {
    return static_cast<std::int64_t>(low * std::exp(chance_.uniform() * std::log(high / low)));
  }
  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(chance_.whole(0, static_cast<std::int64_t>(from.size()) - 1))];
  }

  void choose_settings() {
    reference::Settings& s = made_.settings;
    tie_ = static_cast<std::uint64_t>(one_of<std::int64_t>({1, 7, 1000, 1 << 17, 1 << 20, 1 << 30}));
    tie_size_ = static_cast<std::uint64_t>(one_of<std::int64_t>({1, 512, 4096, 1 << 20}));
    s.thresholds.clear();
    if (chance_.chance(0.7)) s.thresholds.push_back(0);
    if (chance_.chance(0.7)) s.thresholds.push_back(tie_);
    if (chance_.chance(0.2)) s.thresholds.push_back(tie_ + 1);
    if (chance_.chance(0.3)) s.thresholds.push_back(static_cast<std::uint64_t>(log_uniform(1, 1e9)));
    if (chance_.chance(0.1)) s.thresholds.push_back(std::uint64_t{1} << 60);
    if (s.thresholds.empty()) s.thresholds.push_back(1 << 20);
    s.small = {tie_size_};
    if (chance_.chance(0.3)) s.small.push_back(static_cast<std::uint64_t>(log_uniform(1, 1e8)));
    if (chance_.chance(0.1)) s.small.push_back(0);
    for (auto* list : {&s.thresholds, &s.small}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }

  void choose_times() {
    // 28 February to 1 March 2011 in half of the machines: their jobs lie on both sides of a month's end.
    begin_ = chance_.chance(0.5) ? 1'298'937'600 * second - chance_.whole(0, 1500) * second
                                 : 1'300'000'000 * second + chance_.whole(0, 400'000) * second;
    if (kind_.begin != 0) begin_ = kind_.begin;
    span_ = chance_.whole(60, 1500) * second;
    whole_seconds_ = chance_.chance(0.5);
    if (kind_.plain_samples || chance_.chance(0.8)) return;
    made_.settings.slot = one_of<std::int64_t>({7 * second, 60 * second, second / 2, 1'500'000, 333'333, 10'000'000, 1'000'003});
    if (chance_.chance(0.02)) made_.settings.slot = 10'000;  // many slots: more than the engine looks at in one go
  }

  std::int64_t moment(std::int64_t from, std::int64_t to) {
    const std::int64_t t = from + chance_.whole(0, to - from);
    return whole_seconds_ || chance_.chance(0.3) ? t / second * second : t;
  }

  std::int64_t duration() {
    switch (chance_.whole(0, 9)) {
      case 0: return second;
      case 1: return 0;
      case 2: return whole_seconds_ ? 2 * second : chance_.whole(1, 3 * second);
      case 3:
      case 4: return whole_seconds_ ? chance_.whole(1, 60) * second : chance_.whole(1, 60 * second);
      default: return whole_seconds_ ? chance_.whole(60, 900) * second : chance_.whole(60 * second, 900 * second);
    }
  }

  void make_jobs(std::int64_t count) {
    std::int64_t previous_end = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      Job job;
      job.id = fmt::format("{}j{}", kind_.prefix, j);
      job.user = "user";
      job.name = "name";
      std::int64_t start = moment(begin_ - 100 * second, begin_ + span_ + 50 * second);
      if (previous_end != 0 && chance_.chance(0.5)) start = previous_end + (chance_.chance(0.5) ? 0 : chance_.whole(0, 30) * second);
      const std::int64_t end = start + duration();
      previous_end = end;
      job.start = time_from_micros(start);
      job.end = chance_.chance(0.05) ? no_time : time_from_micros(end);
      for (const std::string& server : servers_)
        if (chance_.chance(0.6)) job.servers.push_back(server);
      if (job.servers.empty() && chance_.chance(0.9)) job.servers.push_back(servers_[0]);
      made_.machine.jobs.push_back(std::move(job));
    }
  }

  /// Its total, its file systems, or both; or tagged with jobs.
  void add_server(const std::string& server) {
    const bool with_tags = !kind_.plain_samples && chance_.chance(0.15);
    if (with_tags) {
      for (const Job& job : made_.machine.jobs)
        if (chance_.chance(0.6)) add_series({server, chance_.chance(0.5) ? "work" : "", job.id});
      if (chance_.chance(0.3)) add_series({server, "work", "a job that no log tells of"});
    }
    if (with_tags && chance_.chance(0.5)) return;
    const bool several = chance_.chance(0.3);
    if (!several || chance_.chance(0.2)) add_series({server, chance_.chance(0.5) || several ? "" : "work", ""});
    if (several)
      for (const char* filesystem : {"work", "home", "data"})
        if (chance_.chance(0.7)) add_series({server, filesystem, ""});
  }

  CounterMask choose_counters() {
    if (chance_.chance(0.7)) return all_counters;
    auto has = static_cast<CounterMask>(chance_.whole(1, all_counters));
    // Who counts four kinds of metadata operations has a count of all of them, given or made from these.
    if ((has & 0xf0) == 0xf0) has |= mask(Counter::metadata_ops);
    // A server that counts requests counts their bytes, too.
    for (std::size_t d = 0; d < 2; ++d)
      if (holds(has, 2 + d) && chance_.chance(0.9)) has |= static_cast<CounterMask>(1u << d);
    return has;
  }

  void add_series(const SeriesName& name) {
    reference::Series series{name, {}};
    const CounterMask has = choose_counters();
    std::int64_t step = chance_.whole(5, 120) * second;
    if (!whole_seconds_ && chance_.chance(0.2)) step = chance_.whole(2 * second, 20 * second);
    const bool equal_steps = chance_.chance(0.5);
    std::int64_t t = whole_seconds_ ? begin_ + chance_.whole(-120, 60) * second : begin_ + chance_.whole(-120 * second, 60 * second);
    const std::int64_t until = begin_ + (chance_.chance(0.8) ? span_ + chance_.whole(0, 200) * second : chance_.whole(1, span_));
    while (t < until) {
      const std::int64_t start = t;
      t += length_of_step(step, equal_steps);
      if (!kind_.plain_samples && chance_.chance(0.03)) continue;  // a hole
      Increment i;
      i.start = time_from_micros(start);
      i.end = time_from_micros(t);
      i.has = has;
      if (!kind_.plain_samples && chance_.chance(0.03)) {
        i.flags = static_cast<std::uint8_t>(chance_.chance(0.5) ? unmounted : expired);
        i.has = 0;
      } else {
        if (!kind_.plain_samples && chance_.chance(0.03))
          i.flags = static_cast<std::uint8_t>(one_of<int>({after_reset, wrapped, implied_start}));
        if (chance_.chance(0.03)) i.flags = reset_inferred;
        fill(i, t - start);
      }
      series.increments.push_back(i);
    }
    if (!series.increments.empty()) made_.machine.series.push_back(std::move(series));
  }

  std::int64_t length_of_step(std::int64_t step, bool equal_steps) {
    if (chance_.chance(0.04)) return step / 2 * 5;  // just not a gap, where the step is the usual one
    if (chance_.chance(0.04)) return step * chance_.whole(3, 6);
    if (equal_steps) return step;
    if (whole_seconds_) return std::max<std::int64_t>(second, step + chance_.whole(-3, 3) * second);
    return std::max<std::int64_t>(1, step + chance_.whole(-second, second));
  }

  void fill(Increment& i, std::int64_t length) {
    for (std::size_t d = 0; d < 2; ++d) {
      if (holds(i.has, d)) i.amounts[d] = bytes(length);
      if (holds(i.has, 2 + d)) i.amounts[2 + d] = operations(i.amounts[d]);
    }
    for (std::size_t c = 4; c < counter_count; ++c)
      if (holds(i.has, c)) i.amounts[c] = static_cast<std::uint64_t>(chance_.whole(0, 50));
  }

  std::uint64_t bytes(std::int64_t length) {
    if (chance_.chance(0.3)) return 0;
    if (chance_.chance(0.5)) {
      // Exactly the threshold over the increment, or over a part of it that a job may be squeezed into; or half of it, for two file
      // systems.
      const std::int64_t seconds =
          std::max<std::int64_t>(1, chance_.chance(0.6) ? length / second : chance_.whole(1, std::max<std::int64_t>(1, length / second)));
      const std::uint64_t exactly = tie_ * static_cast<std::uint64_t>(seconds) / (chance_.chance(0.2) ? 2 : 1);
      return chance_.chance(0.8) ? exactly : exactly + static_cast<std::uint64_t>(chance_.whole(0, 2)) - (exactly > 0 ? 1 : 0);
    }
    return static_cast<std::uint64_t>(log_uniform(1, chance_.chance(0.1) ? 1e15 : 1e10));
  }

  std::uint64_t operations(std::uint64_t of_bytes) {
    if (chance_.chance(0.1)) return 0;
    if (chance_.chance(0.5)) return of_bytes / tie_size_;  // the average is the size asked for, or a little more
    return static_cast<std::uint64_t>(log_uniform(1, 1e5));
  }

  MadeKind kind_;
  Random chance_;
  MadeMachine made_;
  std::vector<std::string> servers_;
  std::int64_t begin_ = 0, span_ = 0;
  bool whole_seconds_ = true;
  std::uint64_t tie_ = 1, tie_size_ = 1;
};

}  // namespace

MadeMachine make_machine(std::uint64_t seed, const MadeKind& kind) { return Maker(seed, kind).make(); }

}  // namespace fathom
