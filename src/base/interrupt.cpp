// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <atomic>

namespace fathom {
namespace {

std::atomic<bool> seen = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // else no signal handler may touch it

void remember(int) { seen = true; }

}  // namespace

Interrupt::Interrupt() {
  seen = false;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  // Who was started with Ctrl-C ignored (nohup, a shell's background) goes on ignoring it.
  if (::sigaction(SIGINT, nullptr, &before_) == 0 && before_.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { ::sigaction(SIGINT, &before_, nullptr); }

bool Interrupt::asked() const { return seen; }

}  // namespace fathom
