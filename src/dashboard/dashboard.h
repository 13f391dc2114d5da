// SPDX-License-Identifier: Apache-2.0
/// All that is served: stores, traces, simulations, and who wants to hear of changes.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "advise/trained.h"
#include "dashboard/endpoint.h"
#include "dashboard/simulations.h"
#include "dashboard/store_source.h"

namespace fathom::dashboard {

class TraceSource;

struct DashboardSettings {
  std::vector<std::string> paths;  // stores and traces
  std::string version;             // of the program
  std::string weights;             // of advice: a file of `fathom train`; empty: those that are built in
  std::string advice_state;        // where `fathom advise --slurm` writes its decisions; empty: nobody said
  SimulationLimits simulations;
  /// Puts a WhatIfData into a page of its own; none: there is no such page.
  std::function<std::string(std::string_view json)> what_if_page;
};

class Dashboard {
 public:
  static Result<std::unique_ptr<Dashboard>> open(const DashboardSettings& settings);
  ~Dashboard();

  const DashboardSettings& settings() const { return settings_; }
  const std::vector<std::unique_ptr<StoreSource>>& stores() const { return stores_; }
  Result<StoreSource*> store(std::string_view id) const;
  const std::vector<std::unique_ptr<TraceSource>>& traces() const { return traces_; }
  Result<TraceSource*> trace(std::string_view id) const;
  Simulations& simulations() { return *simulations_; }
  const advise::Trained& weights() const { return weights_; }

  /// A stream of changes for one reader.
  std::shared_ptr<http::EventStream> subscribe();
  void tell(std::string_view event, const Json& data);

 private:
  Result<void> add(const std::string& path, std::set<std::string>& taken);
  explicit Dashboard(DashboardSettings settings);
  DashboardSettings settings_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<http::EventStream>> readers_;
  advise::Trained weights_;
  std::vector<std::unique_ptr<StoreSource>> stores_;  // their threads tell of changes
  std::vector<std::unique_ptr<TraceSource>> traces_;
  std::unique_ptr<Simulations> simulations_;  // last: they use stores
};

Json store_event(const StoreSource& store);
Json trace_event(const TraceSource& trace);
Json as_json(const Preparation& preparation);

}  // namespace fathom::dashboard
