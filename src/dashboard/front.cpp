// SPDX-License-Identifier: Apache-2.0
#include "dashboard/front.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/text.h"
#include "dashboard/gzip.h"

namespace fathom::dashboard {
namespace {

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src "
    "'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

void harden(http::Response& response) {
  response.headers.emplace_back("Content-Security-Policy", policy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("X-Frame-Options", "DENY");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  response.headers.emplace_back("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
}

/// example.org:8080 -> example.org; [::1]:8080 -> [::1]
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// An address in numbers: what a browser asks for under one was meant for this machine, as nobody can point an address elsewhere.
bool is_address(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  if (host.starts_with('[') && host.ends_with(']')) return ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), bytes) == 1;
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1;
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  // Lengths differ: still as many steps as the secret has, so that time tells nothing of it.
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(i < a.size() ? a[i] : 0) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

bool Front::may_ask(const http::Request& request) const {
  constexpr std::string_view bearer = "Bearer ";
  if (settings_.token.empty()) return true;
  const std::string_view given = request.authorization;
  return given.size() > bearer.size() && equal_ignoring_case(given.substr(0, bearer.size()), bearer) &&
         equal_in_constant_time(given.substr(bearer.size()), settings_.token);
}

/// A page from elsewhere can make a browser ask under a name of its own that leads here; such names are not ours. With a token they find
/// nothing: a browser keeps it for the name that it was typed in under.
bool Front::known_host(const http::Request& request) const {
  const std::string_view host = without_port(request.host);
  if (host == "localhost" || is_address(std::string(host))) return true;
  if (settings_.hosts.empty()) return !settings_.token.empty();
  return std::any_of(settings_.hosts.begin(), settings_.hosts.end(),
                     [&](const std::string& each) { return equal_ignoring_case(each, host); });
}

http::Response Front::answer(const http::Request& request) {
  http::Response response = inside(request);
  harden(response);
  return response;
}

http::Response Front::inside(const http::Request& request) {
  if (!known_host(request)) return failure(421, "usage", "this name is not served here; use the address that fathom serve printed");
  const std::string_view path = request.path();
  if (!path.starts_with('/')) return failure(400, "usage", "a path begins with /");
  const bool api = path == api_prefix || (path.starts_with(api_prefix) && path[api_prefix.size()] == '/');
  if (!api) return asset(request);
  if (!may_ask(request)) {
    http::Response refusal = failure(401, "token", "this server asks for a token");
    refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refusal;
  }
  // A page from elsewhere may not change anything here, whatever a browser sends along.
  if (request.method != "GET") {
    if (!request.origin.empty() && request.origin.substr(request.origin.find("//") + 2) != request.host)
      return failure(403, "usage", "this comes from a page of another place");
    if (request.method == "POST" && !request.content_type.starts_with("application/json"))
      return failure(415, "usage", "a POST must be application/json");
  }
  return api_.answer(request);
}

http::Response Front::asset(const http::Request& request) {
  if (request.method != "GET") {
    http::Response refusal = failure(405, "usage", "only GET and HEAD");
    refusal.headers.emplace_back("Allow", "GET, HEAD");
    return refusal;
  }
  const std::string_view path = request.path().substr(1);
  const Asset* found = assets_.find(path);
  const bool page = found == nullptr || path == "index.html";
  // Views have paths of their own; files have a point in their last name, or are in assets/.
  if (found == nullptr && (path.starts_with("assets/") || (path.substr(path.rfind('/') + 1).find('.') != std::string_view::npos &&
                                                           !path.starts_with("stores/") && !path.starts_with("traces/"))))
    return failure(404, "not_found", "there is no such file");
  if (found == nullptr) found = assets_.find("index.html");
  http::Response response;
  response.headers.emplace_back("Cache-Control", page ? "no-cache" : "public, max-age=31536000, immutable");
  response.headers.emplace_back("ETag", found->etag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (request.if_none_match.find(found->etag) != std::string::npos) {
    response.status = 304;
    response.type.clear();
    return response;
  }
  response.type = found->type;
  if (request.takes_gzip) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = found->packed;
  } else {
    response.body = std::make_shared<const std::string>(gunzip(*found->packed, found->size).value_or(""));
  }
  return response;
}

}  // namespace fathom::dashboard
