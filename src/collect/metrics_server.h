// SPDX-License-Identifier: Apache-2.0
/// Serves one page over HTTP, /metrics; small limits on everything that a caller can send or hold open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace fathom {

class MetricsServer {
 public:
  /// `address` is HOST:PORT or PORT, which is on loopback; port 0 takes a free one. `page` is called by the server's own thread.
  static Result<std::unique_ptr<MetricsServer>> start(const std::string& address, std::function<std::string()> page);
  ~MetricsServer();  // closes every connection
  MetricsServer(const MetricsServer&) = delete;

  /// 127.0.0.1:9402
  const std::string& address() const;

 private:
  class Listener;
  explicit MetricsServer(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace fathom
