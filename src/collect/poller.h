// SPDX-License-Identifier: Apache-2.0
/// Polls one source on its schedule, by a thread of its own: a source that hangs delays no other.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "collect/health.h"
#include "collect/latest.h"
#include "collect/schedule.h"
#include "collect/source.h"
#include "collect/waiting.h"

namespace fathom {

struct PollerOptions {
  PollSchedule schedule{std::chrono::seconds(10)};
  std::uint64_t polls = 0;  // ends after so many; 0: goes on
  /// Told in words when a source fails, and when it is back.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

class Poller {
 public:
  /// `number` marks what comes from this source among all that waits.
  Poller(SourceId number, LiveSource& source, PollerOptions options, Clock& clock, Latest& latest, Waiting& waiting, SourceHealth& health);

  /// Until the clock says stop, or the polls are done.
  void run();

 private:
  Result<void> poll();
  void tell(const Result<void>& outcome, Time next);

  SourceId number_;
  LiveSource& source_;
  PollerOptions options_;
  Clock& clock_;
  Latest& latest_;
  Waiting& waiting_;
  SourceHealth& health_;
  std::uint64_t failures_in_a_row_ = 0;
  bool told_of_rejects_ = false, told_of_clock_ = false;
};

/// One poll of a source.
Result<Polled> poll_once(LiveSource& source, const std::string& word, SourceId number = 1);

}  // namespace fathom
