// SPDX-License-Identifier: Apache-2.0
#include "collect/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "base/end_signals.h"
#include "base/units.h"
#include "collect/flush.h"
#include "collect/metrics_server.h"
#include "collect/poller.h"

namespace fathom {
namespace {

class Collector {
 public:
  Collector(const CollectOptions& options, Store store) : options_(options), store_(std::move(store)), waiting_(options.most_waiting) {}

  Result<void> open_sources() {
    for (const ChosenSource& chosen : options_.sources) {
      SourceSettings settings = chosen.settings;
      settings.interval = options_.interval;
      settings.host = options_.host;
      TRY(std::unique_ptr<LiveSource> source, chosen.kind->open(settings));
      sources_.push_back(std::move(source));
      health_.push_back(std::make_unique<SourceHealth>());
      health_.back()->word = settings.word;
      labels_.push_back({fmt::format("{} on {}", settings.word, settings.host), fmt::format("collect:{}", chosen.kind->name)});
    }
    return {};
  }

  Result<CollectReport> run() {
    TRY_VOID(load_latest(store_, latest_));
    const EndSignals signals;
    std::unique_ptr<http::Server> server;
    if (!options_.listen.empty()) {
      TRY(server,
          start_metrics_server(options_.listen, [this] { return metrics_page(health_, flushes_, waiting_, latest_, options_.metrics); }));
      options_.say(fmt::format("metrics at http://{}/metrics", server->address()));
    }
    start_pollers();
    options_.say(fmt::format("{} every {}, written every {} to {}",
                             sources_.size() == 1 ? "one source" : fmt::format("{} sources", sources_.size()), in_words(options_.interval),
                             in_words(options_.flush), options_.store));
    wait_and_flush(signals);
    clock_.stop();
    for (std::thread& thread : threads_) thread.join();
    const Result<void> last = write();
    if (!last)
      return Error{last.error().kind, fmt::format("{} ({} not written)", last.error().message, counted(waiting_.samples(), "sample"))};
    return report();
  }

 private:
  static std::string in_words(Duration length) { return fmt::format("{:g} s", seconds(length)); }

  void start_pollers() {
    running_ = sources_.size();
    PollerOptions options{.schedule = PollSchedule(options_.interval), .polls = options_.polls, .say = options_.say};
    for (std::size_t i = 0; i < sources_.size(); ++i)
      threads_.emplace_back([this, i, options] {
        Poller(static_cast<SourceId>(i + 1), *sources_[i], options, clock_, latest_, waiting_, *health_[i]).run();
        --running_;
      });
  }

  /// By a clock that nobody sets: how often is all that matters here.
  void wait_and_flush(const EndSignals& signals) {
    using Steady = std::chrono::steady_clock;
    const auto begin = Steady::now();
    auto next = begin + options_.flush;
    const bool ends = options_.polls != 0 || options_.duration.count() != 0;
    while (running_ > 0) {
      const auto now = Steady::now();
      if (options_.duration.count() != 0 && now - begin >= options_.duration) return;
      if (now >= next) {
        if (const auto written = write(); !written)
          options_.say(fmt::format("{}; {}", written.error().message, counted(waiting_.samples(), "sample waits", "samples wait")));
        keep_tidy();
        next = std::max(next + options_.flush, Steady::now());
        continue;
      }
      const auto most = std::chrono::duration_cast<Duration>(next - now);
      if (signals.wait(ends ? std::min<Duration>(most, std::chrono::milliseconds(20)) : most)) return;
    }
  }

  Result<void> write() {
    const auto begin = std::chrono::steady_clock::now();
    Batch batch = waiting_.begin_write();
    const std::size_t samples = batch.samples.size();
    const bool nothing = batch.empty();
    const auto written = flush(store_, std::move(batch), labels_, wall_clock(), options_.sharing,
                               [this] { options_.say(fmt::format("waiting: another process writes to {}", options_.store)); });
    waiting_.finish_write(written.has_value());
    flushes_.duration_us = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - begin).count();
    if (!written) {
      ++flushes_.failures;
      return written.error();
    }
    if (nothing) return {};
    ++flushes_.flushes;
    flushes_.samples += samples;
    flushes_.last_success_us = micros(wall_clock());
    return {};
  }

  void keep_tidy() {
    latest_.forget(wall_clock() - std::chrono::hours(1));
    const auto tidied = tidy(store_, day_of(wall_clock()));
    if (!tidied) {
      options_.say(fmt::format("merging small segments: {}", tidied.error().message));
    } else if (*tidied) {
      ++flushes_.compactions;
    }
  }

  CollectReport report() const {
    CollectReport all;
    for (const auto& health : health_) {
      all.polls += health->polls;
      all.failures += health->failures;
    }
    all.samples = flushes_.samples;
    all.flushes = flushes_.flushes;
    return all;
  }

  const CollectOptions& options_;
  Store store_;
  WallClock clock_;
  Latest latest_;
  Waiting waiting_;
  FlushHealth flushes_;
  std::vector<std::unique_ptr<LiveSource>> sources_;
  std::vector<std::unique_ptr<SourceHealth>> health_;
  std::vector<SourceLabel> labels_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> running_ = 0;
};

}  // namespace

Result<CollectReport> collect(const CollectOptions& options) {
  TRY(Store store, Store::open_or_create(options.store));
  Collector collector(options, std::move(store));
  TRY_VOID(collector.open_sources());
  return collector.run();
}

}  // namespace fathom
