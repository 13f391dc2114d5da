// SPDX-License-Identifier: Apache-2.0
#include "base/end_signals.h"

#include <algorithm>

namespace fathom {

EndSignals::EndSignals() {
  ::sigemptyset(&set_);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set_, signal);
  ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

EndSignals::~EndSignals() {
  while (wait(Duration{0})) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool EndSignals::wait(Duration most) const {
  const std::int64_t us = std::max<std::int64_t>(0, most.count());
  const timespec limit{static_cast<time_t>(us / 1'000'000), static_cast<long>(us % 1'000'000 * 1000)};
  return ::sigtimedwait(&set_, nullptr, &limit) > 0;
}

}  // namespace fathom
