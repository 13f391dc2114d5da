// SPDX-License-Identifier: Apache-2.0
#include "http/event_stream.h"

#include <utility>

namespace fathom::http {

void EventStream::send(std::string_view event, std::string_view data) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || gone_) return;
    waiting_.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
    if (waiting_.size() > most_waiting) {
      waiting_.clear();
      ended_ = true;
    }
  }
  wake();
}

void EventStream::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake();
}

bool EventStream::gone() const {
  const std::lock_guard lock(mutex_);
  return gone_ || ended_;
}

void EventStream::when_ready(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

std::optional<std::string> EventStream::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  return std::exchange(waiting_, {});
}

bool EventStream::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void EventStream::leave() {
  std::function<void()> dropped;  // what it holds may hold this stream: it goes when the lock is open again
  const std::lock_guard lock(mutex_);
  gone_ = true;
  waiting_.clear();
  dropped = std::move(wake_);
  wake_ = nullptr;
}

void EventStream::wake() {
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex_);
    call = wake_;
  }
  if (call) call();
}

}  // namespace fathom::http
