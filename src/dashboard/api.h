// SPDX-License-Identifier: Apache-2.0
/// From a request under /api/v1 to the endpoint that answers it, and from its reply or error to what is sent.
#pragma once

#include "dashboard/answer_cache.h"
#include "dashboard/dashboard.h"
#include "dashboard/endpoint.h"
#include "http/message.h"

namespace fathom::dashboard {

inline constexpr std::string_view api_prefix = "/api/v1";

class Api {
 public:
  explicit Api(Dashboard& dashboard) : dashboard_(dashboard) {}
  http::Response answer(const http::Request& request);

 private:
  http::Response of_endpoint(const Endpoint& endpoint, const Call& call, const http::Request& request);
  Dashboard& dashboard_;
  AnswerCache cache_{128u << 20};
};

/// {"error": {"kind", "message"}} with the status that fits.
http::Response failure(const Error& error);
http::Response failure(unsigned status, std::string_view kind, std::string_view message);

/// The whole API in the words of OpenAPI 3.1, made from the endpoints.
Json openapi();

/// The path's words if it fits the pattern: /stores/{store}/jobs/{job}. A word is never empty.
std::optional<std::map<std::string, std::string, std::less<>>> match(std::string_view pattern, std::string_view path);

}  // namespace fathom::dashboard
