// SPDX-License-Identifier: Apache-2.0
/// One GET over plain HTTP, within a time and a size.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace fathom {

struct HttpAddress {
  std::string host;
  std::string port = "80";
  std::string target = "/";  // with its query

  /// host:port, as Prometheus names a target.
  std::string instance() const { return host + ":" + port; }
};

/// `http://node7:9100/metrics`; nothing but http.
Result<HttpAddress> parse_http_address(std::string_view url);

/// The body of an answer with status 200. Redirections are not followed.
Result<std::string> http_get(const HttpAddress& address, Duration time, std::size_t most_bytes);

/// A text as part of a query.
std::string percent_encoded(std::string_view text);

}  // namespace fathom
