// SPDX-License-Identifier: Apache-2.0
#include "dashboard/api.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "dashboard/gzip.h"

namespace fathom::dashboard {
namespace {

constexpr std::size_t worth_packing = 1024;  // bytes

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::unreadable: return "unreadable";
    case ErrorKind::unwritable: return "unwritable";
    case ErrorKind::malformed: return "malformed";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::busy: return "busy";
    case ErrorKind::damaged: return "damaged";
    case ErrorKind::interrupted: return "interrupted";
  }
  return "unknown";
}

unsigned status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::malformed: return 400;
    case ErrorKind::not_found: return 404;
    case ErrorKind::unsupported: return 422;
    case ErrorKind::busy:
    case ErrorKind::interrupted:
    case ErrorKind::unreadable: return 503;
    case ErrorKind::unwritable:
    case ErrorKind::damaged: return 500;
  }
  return 500;
}

std::shared_ptr<const std::string> shared_text(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

std::uint64_t tag_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.value();
}

/// If-None-Match holds the tag, weak or not, alone or in a list; * holds all.
bool holds_tag(std::string_view header, std::string_view tag) {
  return !tag.empty() && (header == "*" || header.find(tag) != std::string_view::npos);
}

http::Response send(const KeptAnswer& answer, const http::Request& request) {
  http::Response response;
  response.status = answer.status;
  response.type = answer.type;
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("Vary", "Accept-Encoding, Authorization");
  if (!answer.etag.empty()) response.headers.emplace_back("ETag", answer.etag);
  if (holds_tag(request.if_none_match, answer.etag)) {
    response.status = 304;
    response.type.clear();
    return response;
  }
  response.body = answer.plain;
  if (request.takes_gzip && answer.packed) {
    response.body = answer.packed;
    response.headers.emplace_back("Content-Encoding", "gzip");
  }
  return response;
}

}  // namespace

std::string as_text(const Json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

Reply json_reply(const Json& json, unsigned status) { return {as_text(json), "application/json", status, nullptr, {}}; }

http::Response failure(unsigned status, std::string_view kind, std::string_view message) {
  http::Response response;
  response.status = status;
  response.type = "application/json";
  response.headers.emplace_back("Cache-Control", "no-store");
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  const Json body{{"error", {{"kind", kind}, {"message", message}}}};
  response.body = shared_text(as_text(body));
  return response;
}

http::Response failure(const Error& error) { return failure(status_of(error.kind), name_of(error.kind), error.message); }

std::optional<std::map<std::string, std::string, std::less<>>> match(std::string_view pattern, std::string_view path) {
  std::map<std::string, std::string, std::less<>> words;
  while (!pattern.empty() && !path.empty()) {
    if (pattern.front() != '/' || path.front() != '/') return std::nullopt;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
    const std::string_view wanted = pattern.substr(0, pattern.find('/')), found = path.substr(0, path.find('/'));
    pattern.remove_prefix(wanted.size());
    path.remove_prefix(found.size());
    if (!wanted.empty() && wanted.front() == '{') {
      auto word = http::decode(found, false);
      if (!word || word->empty()) return std::nullopt;
      words.emplace(wanted.substr(1, wanted.size() - 2), std::move(*word));
    } else if (wanted != found) {
      return std::nullopt;
    }
  }
  if (!pattern.empty() || !path.empty()) return std::nullopt;
  return words;
}

http::Response Api::answer(const http::Request& request) {
  std::string_view path = request.path();
  path.remove_prefix(std::min(path.size(), api_prefix.size()));
  if (path.empty()) path = "/";
  std::string allowed;
  for (const Endpoint* endpoint : all_endpoints()) {
    auto words = match(endpoint->path, path);
    if (!words) continue;
    if (endpoint->method != request.method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(endpoint->method);
      continue;
    }
    const auto call = Call::make(request, std::move(*words), endpoint->parameters);
    if (!call) return failure(call.error());
    return of_endpoint(*endpoint, *call, request);
  }
  if (allowed.empty()) return failure(404, "not_found", "there is nothing at this path; /api/v1/openapi.json lists all there is");
  http::Response refusal = failure(405, "usage", fmt::format("this path takes {}, not {}", allowed, request.method.substr(0, 16)));
  refusal.headers.emplace_back("Allow", allowed);
  return refusal;
}

http::Response Api::of_endpoint(const Endpoint& endpoint, const Call& call, const http::Request& request) {
  std::string version, question;
  if (endpoint.version != nullptr) {
    auto found = endpoint.version(dashboard_, call);
    if (!found) return failure(found.error());
    version = std::move(*found);
    question = call.key();
    if (const auto kept = cache_.find(question, version)) return send(*kept, request);
  }
  auto reply = endpoint.answer(dashboard_, call);
  if (!reply) {
    http::Response refusal = failure(reply.error());
    // What cannot be answered stays so while nothing changes; finding that out may take as long as an answer.
    if (endpoint.version != nullptr && reply.error().kind == ErrorKind::unsupported) {
      KeptAnswer kept;
      kept.version = std::move(version);
      kept.status = refusal.status;
      kept.type = refusal.type;
      kept.plain = refusal.body;
      cache_.keep(question, kept);
    }
    return refusal;
  }
  if (reply->events) {
    http::Response response;
    response.type = "text/event-stream";
    response.headers.emplace_back("Cache-Control", "no-store");
    response.events = std::move(reply->events);
    return response;
  }
  KeptAnswer answer;
  answer.version = std::move(version);
  answer.type = std::move(reply->type);
  if (reply->body.size() >= worth_packing) answer.packed = shared_text(gzip(reply->body));
  answer.plain = shared_text(std::move(reply->body));
  if (reply->status == 200 && request.method == "GET") answer.etag = fmt::format("\"{:016x}\"", tag_of(*answer.plain));
  if (endpoint.version != nullptr && reply->status == 200) cache_.keep(question, answer);
  http::Response response = send(answer, request);
  if (reply->status != 200) response.status = reply->status;
  if (!reply->file_name.empty())
    response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", reply->file_name));
  return response;
}

}  // namespace fathom::dashboard
