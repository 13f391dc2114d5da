// SPDX-License-Identifier: Apache-2.0
#include "dashboard/simulations.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace fathom::dashboard {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto tell_every = std::chrono::milliseconds(200);
constexpr std::size_t most_readers = 64;  // of one simulation

double unix_now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

std::string_view name_of(SimulationState state) {
  switch (state) {
    case SimulationState::waiting: return "waiting";
    case SimulationState::running: return "running";
    case SimulationState::done: return "done";
    case SimulationState::failed: return "failed";
    case SimulationState::cancelled: return "cancelled";
  }
  return "failed";
}

Json entry_json(const Simulation& simulation) {
  return {{"id", simulation.id},
          {"title", simulation.asked.title},
          {"state", name_of(simulation.state)},
          {"done", simulation.done},
          {"problem", simulation.problem.empty() ? Json(nullptr) : Json(simulation.problem)},
          {"created", simulation.created},
          {"request", simulate::as_json(simulation.asked)}};
}

Simulations::Simulations(const SimulationLimits& limits, Run run, Tell tell)
    : limits_(limits),
      run_(std::move(run)),
      tell_(std::move(tell)),
      prefix_(fmt::format("{:x}", static_cast<std::uint64_t>(unix_now()))),
      thread_([this] { work(); }) {}

Simulations::~Simulations() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const Shared& each : all_) each->stop = true;
  }
  news_.notify_all();
  thread_.join();
  for (const Shared& each : all_)
    for (const auto& reader : each->readers) reader->end();
}

Result<Simulation> Simulations::add(simulate::WhatIf asked, std::string scenario) {
  auto kept = std::make_shared<Kept>();
  {
    const std::lock_guard lock(mutex_);
    const auto waiting = static_cast<std::size_t>(
        std::count_if(all_.begin(), all_.end(), [](const Shared& each) { return each->simulation.state == SimulationState::waiting; }));
    if (waiting >= limits_.most_waiting)
      return Error{ErrorKind::busy, fmt::format("adding a simulation: {} wait already; try again when one has ended", waiting)};
    kept->simulation = {.id = fmt::format("{}-{}", prefix_, ++last_),
                        .asked = std::move(asked),
                        .scenario = std::move(scenario),
                        .created = unix_now(),
                        .state = SimulationState::waiting,
                        .done = 0,
                        .problem = {},
                        .result = nullptr};
    if (kept->simulation.asked.title.empty()) kept->simulation.asked.title = fmt::format("{} {}", kept->simulation.asked.preset, last_);
    all_.push_back(kept);
    forget_old();
  }
  changed(kept);
  news_.notify_all();
  const std::lock_guard lock(mutex_);
  return kept->simulation;
}

Simulations::Shared Simulations::place_of(std::string_view id) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const Shared& each) { return each->simulation.id == id; });
  return at == all_.end() ? nullptr : *at;
}

namespace {
Error none(std::string_view id) {
  return {ErrorKind::not_found,
          fmt::format("there is no simulation {} here: results are kept while the server runs, the latest ones", id.substr(0, 40))};
}
}  // namespace

Result<Simulation> Simulations::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Shared kept = place_of(id);
  if (!kept) return none(id);
  return kept->simulation;
}

std::vector<Simulation> Simulations::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Simulation> list;
  for (auto each = all_.rbegin(); each != all_.rend(); ++each) list.push_back((*each)->simulation);
  return list;
}

Result<Simulation> Simulations::remove(std::string_view id) {
  Shared kept;
  {
    const std::lock_guard lock(mutex_);
    kept = place_of(id);
    if (!kept) return none(id);
    if (kept->simulation.ended()) {
      std::erase(all_, kept);
      return kept->simulation;
    }
    kept->stop = true;
    kept->simulation.state = SimulationState::cancelled;  // what still runs of it is of no interest any more
  }
  changed(kept);
  const std::lock_guard lock(mutex_);
  return kept->simulation;
}

Result<std::shared_ptr<http::EventStream>> Simulations::events(std::string_view id) {
  auto stream = std::make_shared<http::EventStream>();
  const std::lock_guard lock(mutex_);
  const Shared kept = place_of(id);
  if (!kept) return none(id);
  std::erase_if(kept->readers, [](const auto& each) { return each->gone(); });
  if (kept->readers.size() >= most_readers) return Error{ErrorKind::busy, "listening to a simulation: too many do so already"};
  stream->send("simulation", as_text(entry_json(kept->simulation)));
  if (kept->simulation.ended())
    stream->end();
  else
    kept->readers.push_back(stream);
  return stream;
}

/// Tells everybody; the readers of one that has ended are let go.
void Simulations::changed(const Shared& kept) {
  Json entry;
  std::vector<std::shared_ptr<http::EventStream>> readers;
  bool ended = false;
  {
    const std::lock_guard lock(mutex_);
    entry = entry_json(kept->simulation);
    ended = kept->simulation.ended();
    readers = kept->readers;
    if (ended) kept->readers.clear();
  }
  const std::string text = as_text(entry);
  for (const auto& reader : readers) {
    reader->send("simulation", text);
    if (ended) reader->end();
  }
  tell_(entry);
}

/// The oldest that have ended give way.
void Simulations::forget_old() {
  auto ended =
      static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [](const Shared& each) { return each->simulation.ended(); }));
  for (auto each = all_.begin(); each != all_.end() && ended > limits_.most_kept;)
    if ((*each)->simulation.ended()) {
      each = all_.erase(each);
      --ended;
    } else {
      ++each;
    }
}

void Simulations::work() {
  for (;;) {
    Shared next;
    {
      std::unique_lock lock(mutex_);
      const auto waits = [](const Shared& each) { return each->simulation.state == SimulationState::waiting; };
      news_.wait(lock, [&] { return ending_ || std::any_of(all_.begin(), all_.end(), waits); });
      if (ending_) return;
      next = *std::find_if(all_.begin(), all_.end(), waits);
      next->simulation.state = SimulationState::running;
    }
    changed(next);
    run_one(next);
  }
}

void Simulations::run_one(const Shared& kept) {
  Simulation copy;
  {
    const std::lock_guard lock(mutex_);
    copy = kept->simulation;
  }
  Clock::time_point told = Clock::now();
  finish(kept, run_(copy, [&](double done) {
           if (kept->stop) return false;
           if (Clock::now() - told < tell_every) return true;
           told = Clock::now();
           {
             const std::lock_guard lock(mutex_);
             kept->simulation.done = std::clamp(done, 0.0, 1.0);
           }
           changed(kept);
           return !kept->stop;
         }));
}

void Simulations::finish(const Shared& kept, Result<std::string> result) {
  {
    const std::lock_guard lock(mutex_);
    Simulation& now = kept->simulation;
    if (now.state == SimulationState::cancelled || kept->stop) {
      const bool told = now.state == SimulationState::cancelled;
      now.state = SimulationState::cancelled;
      forget_old();
      if (told) return;
    } else if (result) {
      now.state = SimulationState::done;
      now.done = 1;
      now.result = std::make_shared<const std::string>(std::move(*result));
    } else {
      now.state = SimulationState::failed;
      now.problem = result.error().message;
    }
    forget_old();
  }
  changed(kept);
}

}  // namespace fathom::dashboard
