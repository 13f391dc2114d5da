// SPDX-License-Identifier: Apache-2.0
#include "dashboard/dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "advise/weights.h"
#include "dashboard/simulation_run.h"
#include "dashboard/trace_source.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t most_readers = 256;

/// A word that paths can hold: its last name, with a number where two are alike.
std::string id_for(const std::string& path, std::set<std::string>& taken) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  std::string word = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  for (char& c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  if (word.empty() || word == "." || word == "..") word = "store";
  std::string id = word;
  for (int number = 2; !taken.insert(id).second; ++number) id = fmt::format("{}-{}", word, number);
  return id;
}

}  // namespace

Result<std::unique_ptr<Dashboard>> Dashboard::open(const DashboardSettings& settings) {
  std::unique_ptr<Dashboard> dashboard(new Dashboard(settings));
  TRY(dashboard->weights_, advise::weights_of(settings.weights));
  std::set<std::string> taken;
  for (const std::string& path : settings.paths) {
    TRY_VOID(dashboard->add(path, taken));
  }
  for (const auto& store : dashboard->stores_) store->start();
  for (const auto& trace : dashboard->traces_) trace->start();
  dashboard->simulations_ = std::make_unique<Simulations>(
      settings.simulations,
      [raw = dashboard.get()](const Simulation& simulation, const Simulations::GoOn& go_on) {
        return run_simulation(*raw, raw->settings_.simulations, simulation, go_on);
      },
      [raw = dashboard.get()](const Json& entry) { raw->tell("simulation", entry); });
  return dashboard;
}

/// A store, or a folder of a traced run. What is wrong at the start is told at once.
Result<void> Dashboard::add(const std::string& path, std::set<std::string>& taken) {
  const auto store = Store::open(path);
  if (store) {
    stores_.push_back(std::make_unique<StoreSource>(id_for(path, taken), path,
                                                    [this](const StoreSource& source) { tell("store", store_event(source)); }));
    return {};
  }
  auto trace = open_traced_run(path);
  if (!trace)
    return Error{store.error().kind,
                 fmt::format("serving {}: it is neither a store nor the folder of a traced run\n  as a store: {}\n  as a trace: {}", path,
                             store.error().message, trace.error().message)};
  traces_.push_back(std::make_unique<TraceSource>(id_for(path, taken), path, std::move(*trace),
                                                  [this](const TraceSource& source) { tell("trace", trace_event(source)); }));
  return {};
}

Dashboard::Dashboard(DashboardSettings settings) : settings_(std::move(settings)) {}

Dashboard::~Dashboard() {
  simulations_.reset();
  traces_.clear();
  stores_.clear();
  for (const auto& reader : readers_) reader->end();
}

Result<StoreSource*> Dashboard::store(std::string_view id) const {
  for (const auto& store : stores_)
    if (store->id() == id) return store.get();
  return Error{ErrorKind::not_found, fmt::format("there is no store {} here", id)};
}

Result<TraceSource*> Dashboard::trace(std::string_view id) const {
  for (const auto& trace : traces_)
    if (trace->id() == id) return trace.get();
  return Error{ErrorKind::not_found, fmt::format("there is no trace {} here", id)};
}

std::shared_ptr<http::EventStream> Dashboard::subscribe() {
  auto stream = std::make_shared<http::EventStream>();
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(readers_, [](const auto& each) { return each->gone(); });
    if (readers_.size() >= most_readers) {
      readers_.front()->end();
      readers_.erase(readers_.begin());
    }
    readers_.push_back(stream);
  }
  for (const auto& store : stores_) stream->send("store", as_text(store_event(*store)));
  for (const auto& trace : traces_) stream->send("trace", as_text(trace_event(*trace)));
  return stream;
}

void Dashboard::tell(std::string_view event, const Json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::vector<std::shared_ptr<http::EventStream>> readers;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(readers_, [](const auto& each) { return each->gone(); });
    readers = readers_;
  }
  for (const auto& reader : readers) reader->send(event, text);
}

Json as_json(const Preparation& preparation) {
  return {{"ready", preparation.ready},
          {"done", preparation.done},
          {"problem", preparation.problem.empty() ? Json(nullptr) : Json(preparation.problem)}};
}

Json store_event(const StoreSource& store) {
  const auto moment = store.peek();
  return {{"store", store.id()},
          {"commit", moment ? moment->commit : 0},
          {"overview", as_json(store.overview_progress())},
          {"machine", as_json(store.machine_progress())}};
}

Json trace_event(const TraceSource& trace) { return {{"trace", trace.id()}, {"prepared", as_json(trace.progress())}}; }

}  // namespace fathom::dashboard
