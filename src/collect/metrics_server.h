// SPDX-License-Identifier: Apache-2.0
/// Serves one page over HTTP, /metrics; small limits on everything that a caller can send or hold open.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/server.h"

namespace fathom {

/// `address` is HOST:PORT or PORT, which is on loopback; port 0 takes a free one. `page` is called by a thread of the server.
Result<std::unique_ptr<http::Server>> start_metrics_server(const std::string& address, std::function<std::string()> page);

}  // namespace fathom
