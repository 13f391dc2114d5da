// SPDX-License-Identifier: Apache-2.0
/// Serves requests over HTTP/1.1: one thread moves bytes for all connections, others answer. Limits on everything that a caller can send or
/// hold open.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace fathom::http {

struct ServerSettings {
  std::string address = "127.0.0.1:0";  // HOST:PORT, or PORT on loopback; port 0 takes a free one
  std::string_view option = "--bind";   // what an error calls the address
  unsigned workers = 2;                 // threads that answer
  std::size_t most_connections = 4096;  // beyond these, new ones are closed at once
  std::size_t most_waiting = 256;       // requests without a free worker; beyond these, the answer is 503
  std::uint32_t most_header_bytes = 8u << 10;
  std::uint64_t most_body_bytes = 1u << 10;
  std::chrono::seconds patience{10};  // for a request that has begun, and for an answer to be taken
  std::chrono::seconds idle{60};      // between requests
};

class Server {
 public:
  using Answer = std::function<Response(const Request&)>;  // called by several threads; what it throws becomes a 500

  static Result<std::unique_ptr<Server>> start(const ServerSettings& settings, Answer answer);
  ~Server();  // closes every connection; answers under way are waited for
  Server(const Server&) = delete;

  /// 127.0.0.1:8080
  const std::string& address() const;
  bool on_loopback() const;

 private:
  class Listener;
  explicit Server(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace fathom::http
