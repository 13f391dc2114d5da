// SPDX-License-Identifier: Apache-2.0
/// One thing that the API answers: its path, its parameters and what it does. Each has a file of its own in endpoints/, or a few that
/// belong together have one.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dashboard/call.h"
#include "http/event_stream.h"

namespace fathom::dashboard {

using Json = nlohmann::ordered_json;

class Dashboard;

struct Reply {
  std::string body;
  std::string type = "application/json";
  unsigned status = 200;
  std::shared_ptr<http::EventStream> events;  // instead of a body
  std::string file_name;                      // to be kept under this name, not shown; empty: it is shown
};

/// Names may be of any bytes: what is not UTF-8 is replaced.
std::string as_text(const Json& json);
Reply json_reply(const Json& json, unsigned status = 200);

struct Endpoint {
  std::string_view method;  // GET, POST, DELETE
  std::string_view path;    // /stores/{store}/traffic, after /api/v1
  std::string_view summary;
  std::string_view answers;  // the type in web/src/lib/api.ts
  std::span<const Parameter> parameters;
  Result<Reply> (*answer)(Dashboard& dashboard, const Call& call) = nullptr;
  /// What the answer depends on beside the question: with the same text the answer is the same. Null: it is made anew each time.
  Result<std::string> (*version)(Dashboard& dashboard, const Call& call) = nullptr;
};

std::span<const Endpoint* const> all_endpoints();

}  // namespace fathom::dashboard
