// SPDX-License-Identifier: Apache-2.0
/// A request and the answer to it, as those see them who answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom::http {

class EventStream;

struct Request {
  std::string method;                                                    // GET; a HEAD is told as GET, and its answer sent without the body
  std::string target;                                                    // as it came: /api/v1/stores?x=1
  std::string host, origin, authorization, if_none_match, content_type;  // headers; empty: there is none
  bool takes_gzip = false;
  std::string body;
  bool from_loopback = false;

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  std::string_view query() const;  // after the ?
};

struct Response {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  // shared, so that one from a cache is not copied
  std::vector<std::pair<std::string, std::string>> headers;
  /// Instead of a body: events as they come (text/event-stream).
  std::shared_ptr<EventStream> events;
};

Response text_response(unsigned status, std::string text);

/// What %41 and + mean; nothing for what cannot be meant (%4, %zz) or holds a zero byte.
std::optional<std::string> decode(std::string_view text, bool plus_is_blank);
std::string encode(std::string_view text);

/// The pairs of a query in order; nothing if one of them cannot be decoded.
std::optional<std::vector<std::pair<std::string, std::string>>> parse_query(std::string_view query);

}  // namespace fathom::http
