// SPDX-License-Identifier: Apache-2.0
/// When to poll: at the multiples of an interval on the clock on the wall, so that many machines poll together and no delay adds up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/time.h"

namespace fathom {

/// The clock that a poller goes by; tests have their own.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() = 0;
  /// Waits until that moment of the clock; false when asked to stop before it came.
  virtual bool wait_until(Time t) = 0;
};

/// The system's clock. stop() ends every wait, from any thread.
class WallClock final : public Clock {
 public:
  Time now() override;
  bool wait_until(Time t) override;
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;
};

class PollSchedule {
 public:
  explicit PollSchedule(Duration interval) : interval_(interval) {}
  Duration interval() const { return interval_; }

  /// The first multiple of the interval after `now`.
  Time after(Time now) const;
  /// How long to wait after so many failures in a row: twice as long each time, sixteen intervals or five minutes at most.
  Duration pause(std::uint64_t failures) const;
  /// Multiples of the interval strictly between two deadlines: polls that were to be and were not.
  std::uint64_t between(Time deadline, Time next) const;

 private:
  Duration interval_;
};

}  // namespace fathom
