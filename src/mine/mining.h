// SPDX-License-Identifier: Apache-2.0
/// Mining a store: counters become bursts, bursts and runs become knowledge. What is up to date already is left as it is.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "characterise/exchange.h"
#include "mine/burst_book.h"
#include "mine/knowledge.h"

namespace fathom::mine {

struct MiningOptions {
  Time since = no_time;  // only runs that start and counters of days from this time on; no_time: all
  Time until = no_time;  // only runs that end and counters of days before this time; no_time: all
  bool anew = false;     // as if nothing had been mined before
  unsigned threads = 0;  // 0: one per core
  PatternSettings settings;
  std::function<void(std::string_view phase, std::size_t done, std::size_t all)> progress = [](std::string_view, std::size_t, std::size_t) {
  };
  std::function<bool()> stop = [] { return false; };  // asked now and then
};

struct MiningReport {
  std::vector<std::string> filesystems;
  std::size_t blocks = 0, fresh_blocks = 0;
  std::array<std::size_t, 2> bursts{};      // read, written
  std::size_t jobs = 0, jobs_left_out = 0;  // without an end, or with an end that is not after the start
  std::size_t applications = 0, examined = 0;
  Time from = no_time, to = no_time;  // measured
  // AID's funnel (Table I).
  std::size_t candidates = 0;           // with a pattern that is regular and common in its runs
  std::size_t in_scope = 0;             // and only there
  std::array<std::size_t, 4> states{};  // by ApplicationState; validated: with enough runs that show it
  std::size_t provisional = 0;
};

/// The jobs of a store by application, in order of names; `left_out` counts those that cannot be samples.
Result<std::vector<Application>> applications_of(const Snapshot& snapshot, Database& database, Time since, Time until,
                                                 std::size_t& left_out);

/// On several ranks every one does a part of the work; the first writes, and alone has the report.
Result<MiningReport> mine(const Store& store, const MiningOptions& options, const Exchange& exchange = {});

}  // namespace fathom::mine
