// SPDX-License-Identifier: Apache-2.0
/// The daemon: pollers on threads of their own, and this thread that writes what they gathered to the store and listens to signals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collect/metrics_page.h"
#include "collect/source.h"
#include "ingest/ingest.h"

namespace fathom {

struct CollectOptions {
  std::vector<ChosenSource> sources;
  std::string store;
  Duration interval = std::chrono::seconds(10);
  Duration flush = std::chrono::seconds(60);
  std::uint64_t polls = 0;  // of each source, then it ends; 0: goes on
  Duration duration{};      // then it ends; 0: goes on
  std::string listen;       // where /metrics is served; empty: nowhere
  MetricsOptions metrics;
  ServerSharing sharing = ServerSharing::unknown;
  std::string host;
  std::size_t most_waiting = 500'000;  // samples, about 50 MB
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

struct CollectReport {
  std::uint64_t polls = 0, failures = 0, samples = 0, flushes = 0;
};

/// Until SIGTERM, SIGINT or SIGHUP, or as long as the options say. What was polled is then in the store.
Result<CollectReport> collect(const CollectOptions& options);

}  // namespace fathom
