// SPDX-License-Identifier: Apache-2.0
/// Events on their way to one reader (server-sent events): whoever has news puts them in, the connection takes them out.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace fathom::http {

class EventStream {
 public:
  /// `data` must be one line. A reader that does not keep up is let go: it asks again and gets the state as it is then.
  void send(std::string_view event, std::string_view data);
  /// After what was sent, the stream ends.
  void end();
  /// The reader is gone: who sends may forget the stream.
  bool gone() const;

  // --- for the connection ---------------------------------------------------------------------------------------------
  /// Called from any thread when there is something to take, or the end; not while the stream is locked.
  void when_ready(std::function<void()> wake);
  std::optional<std::string> take();  // all that waits
  bool ended() const;
  void leave();

 private:
  static constexpr std::size_t most_waiting = 1u << 20;  // bytes
  void wake();
  mutable std::mutex mutex_;
  std::string waiting_;
  bool ended_ = false, gone_ = false;
  std::function<void()> wake_;
};

}  // namespace fathom::http
