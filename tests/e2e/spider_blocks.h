// SPDX-License-Identifier: Apache-2.0
/// The synthetic machine `spider` run in this process: its traffic by server as blocks of bursts, its job log as applications, and the
/// truth of both.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mine/application.h"
#include "mine/burst_log.h"
#include "synth/spider_simulation.h"

namespace fathom {

/// One true pattern of an application, as it happened.
struct TruePattern {
  double bursts = 0, bytes = 0, seconds = 0, servers = 0;
  double intervals = 0, interval_time = 0;
  double runs = 0;
  std::size_t direction = 0, partition = 0;
  std::vector<double> rates;  // bytes per second of each burst
  double period() const { return intervals > 0 ? interval_time / intervals : 0; }
};

struct TrueApplication {
  titan::Kind kind = titan::Kind::silent;
  std::map<int, TruePattern> patterns;  // by number; empty: none
  std::size_t runs = 0, off = 0;
};

struct MonthOfSpider {
  std::vector<mine::BurstLog> logs;  // atlas1 read, written, atlas2 read, written
  std::vector<mine::Application> applications;
  std::map<mine::ApplicationName, TrueApplication> truths;
  Time end{};
  static constexpr std::string_view case_user = "casetest";
};

/// Watches a machine at work.
class SpiderMonth : public titan::Watcher, public MonthOfSpider {
 public:
  SpiderMonth() {
    for (std::size_t p = 0; p < titan::partition_count; ++p) {
      matrices_[p] = {
          .start = start_of_log(), .step = std::chrono::seconds{10}, .slots = 0, .servers = titan::partition_osts, .amounts = {}};
      for (std::size_t d = 0; d < 2; ++d) {
        mine::BurstLog log;
        log.filesystem = titan::partition_names[p];
        log.direction = d;
        log.step = std::chrono::seconds{10};
        logs.push_back(std::move(log));
      }
    }
  }

  static Time start_of_log() { return time_from_seconds(titan::log_start_seconds); }
  static Time moment(titan::Millis t) { return start_of_log() + std::chrono::milliseconds{t}; }

  void reading(titan::Millis t, const titan::StepBytes& values) override {
    if (last_t_) {
      const bool gap = t - *last_t_ > titan::step;
      for (std::size_t p = 0; p < titan::partition_count; ++p) {
        mine::TrafficMatrix& matrix = matrices_[p];
        const auto slot = static_cast<std::size_t>((moment(t) - matrix.start) / matrix.step - 1);
        matrix.slots = slot + 1;
        for (std::size_t d = 0; d < 2; ++d) {
          auto& amounts = matrix.amounts[d];
          amounts.resize(slot * matrix.servers, static_cast<float>(unknown_amount));
          for (std::size_t ost = p * titan::partition_osts; ost < (p + 1) * titan::partition_osts; ++ost)
            amounts.push_back(gap ? static_cast<float>(unknown_amount)
                                  : static_cast<float>(values[d][ost] >= last_[d][ost] ? values[d][ost] - last_[d][ost] : values[d][ost]));
        }
      }
      end = moment(t);
      if (end >= block_ + mine::block_length + mine::block_context) close_block();
    }
    last_t_ = t;
    last_ = values;
  }

  void job(const titan::JobRecord& record) override {
    if (!record.ran || !record.ended()) return;
    TrueApplication& truth = truths[name_of(*record.application)];
    truth.kind = record.application->kind;
    ++truth.runs;
    truth.off += record.submission.io_off;
    runs_[name_of(*record.application)].push_back({std::to_string(record.submission.id), moment(record.start), moment(record.end)});
  }

  void burst(const titan::BurstRecord& record) override {
    const titan::Burst& burst = *record.burst;
    const int number = pattern_number(record);
    TruePattern& truth = truths[name_of(*record.application)].patterns[number];
    truth.direction = static_cast<std::size_t>(burst.direction);
    truth.partition = burst.osts.front() / titan::partition_osts;
    truth.bursts += 1;
    truth.bytes += static_cast<double>(burst.moved);
    truth.seconds += static_cast<double>(burst.end - burst.begin) / 1e3;
    truth.rates.push_back(static_cast<double>(burst.moved) / std::max(static_cast<double>(burst.end - burst.begin) / 1e3, 1e-3));
    truth.servers += static_cast<double>(burst.osts.size());
    auto& last = last_burst_[{record.job_id, number}];
    if (last) {
      truth.intervals += 1;
      truth.interval_time += static_cast<double>(burst.begin - *last) / 1e3;
    } else {
      truth.runs += 1;
    }
    last = burst.begin;
  }

  void finish(const std::vector<titan::Application>&, const titan::OstCounters&) override {
    while (block_ < end) close_block();
    for (auto& [name, runs] : runs_) {
      std::sort(runs.begin(), runs.end(), [](const mine::Run& a, const mine::Run& b) { return a.start < b.start; });
      applications.push_back({name, std::move(runs)});
    }
  }

 private:
  static mine::ApplicationName name_of(const titan::Application& application) {
    return {application.user, application.name, application.nodes};
  }
  static int pattern_number(const titan::BurstRecord& record) { return record.pattern; }

  void close_block() {
    const Time to = block_ + mine::block_length;
    for (std::size_t p = 0; p < titan::partition_count; ++p) {
      mine::TrafficMatrix& matrix = matrices_[p];
      const auto found = mine::bursts_of_block(matrix, block_, to);
      if (!found) std::exit((std::fprintf(stderr, "%s\n", found.error().message.c_str()), 2));
      for (std::size_t d = 0; d < 2; ++d) {
        mine::BurstLog& log = logs[2 * p + d];
        log.bursts.insert(log.bursts.end(), found->bursts[d].begin(), found->bursts[d].end());
        for (const mine::Stretch& stretch : found->seen[d]) {
          if (!log.seen.empty() && log.seen.back().to == stretch.from)
            log.seen.back().to = stretch.to;
          else
            log.seen.push_back(stretch);
        }
      }
      const Time keep = std::max(to - mine::block_context, matrix.start);
      const auto gone = std::min(static_cast<std::size_t>((keep - matrix.start) / matrix.step), matrix.slots);
      for (auto& amounts : matrix.amounts)
        amounts.erase(amounts.begin(), amounts.begin() + static_cast<std::ptrdiff_t>(gone * matrix.servers));
      matrix.start += static_cast<std::int64_t>(gone) * matrix.step;
      matrix.slots -= gone;
    }
    block_ = to;
  }

  std::array<mine::TrafficMatrix, titan::partition_count> matrices_;
  std::optional<titan::Millis> last_t_;
  titan::StepBytes last_{};
  Time block_ = start_of_log();
  std::map<mine::ApplicationName, std::vector<mine::Run>> runs_;
  std::map<std::pair<std::uint64_t, int>, std::optional<titan::Millis>> last_burst_;
};

}  // namespace fathom
