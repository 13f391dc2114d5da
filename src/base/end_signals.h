// SPDX-License-Identifier: Apache-2.0
/// The signals that end a daemon, as something to wait for.
#pragma once

#include <csignal>

#include "base/time.h"

namespace fathom {

/// While there is one, SIGTERM, SIGINT and SIGHUP wait to be asked for; threads started meanwhile do not get them either.
class EndSignals {
 public:
  EndSignals();
  /// A second Ctrl-C that came meanwhile must not end the program after all was written.
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;

  /// True when one came within this time.
  bool wait(Duration most) const;

 private:
  sigset_t set_{}, before_{};
};

}  // namespace fathom
