// SPDX-License-Identifier: Apache-2.0
/// A lock that needs nothing of the C library, and the signals held back while one is held.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracer/syscalls.h"

namespace fathom::trace {

/// No signal handler runs in this thread meanwhile.
class SignalsHeld {
 public:
  SignalsHeld() {
    const std::uint64_t all = ~0ull;
    raw::call(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, raw::number(&all), raw::number(&before_), sizeof all);
  }
  ~SignalsHeld() { raw::call(SYS_rt_sigprocmask, 2, raw::number(&before_), 0, sizeof before_); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  std::uint64_t before_ = 0;
};

class Lock {
 public:
  void take() {
    std::uint32_t expected = 0;
    while (!word_.compare_exchange_weak(expected, 1, std::memory_order_acquire)) {
      if (expected == 2 || (expected == 1 && word_.compare_exchange_weak(expected, 2))) raw::wait_while(&word_, 2, nullptr);
      expected = 0;
      if (word_.compare_exchange_weak(expected, 2, std::memory_order_acquire)) return;
      expected = 0;
    }
  }
  void give() {
    if (word_.exchange(0, std::memory_order_release) == 2) raw::wake(&word_, 1);
  }
  /// In a forked child whoever held it is not there any more.
  void reset() { word_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> word_{0};
};

class Holding {
 public:
  explicit Holding(Lock& lock) : lock_(lock) { lock_.take(); }
  ~Holding() { lock_.give(); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  SignalsHeld signals_;
  Lock& lock_;
};

}  // namespace fathom::trace
