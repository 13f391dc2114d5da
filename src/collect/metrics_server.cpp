// SPDX-License-Identifier: Apache-2.0
#include "collect/metrics_server.h"

namespace fathom {
namespace {

http::Response answer(const http::Request& request, const std::function<std::string()>& page) {
  if (request.method != "GET") {
    http::Response refusal = http::text_response(405, "only GET and HEAD\n");
    refusal.headers.emplace_back("Allow", "GET, HEAD");
    return refusal;
  }
  if (request.path() == "/") return http::text_response(200, "fathom collect: see /metrics\n");
  if (request.path() != "/metrics") return http::text_response(404, "there is only /metrics\n");
  http::Response response = http::text_response(200, page());
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

}  // namespace

Result<std::unique_ptr<http::Server>> start_metrics_server(const std::string& address, std::function<std::string()> page) {
  http::ServerSettings settings;
  settings.address = address;
  settings.option = "--listen";
  settings.workers = 1;
  settings.most_connections = 64;  // who holds many open must not take memory or descriptors from the store
  settings.most_waiting = 64;
  settings.idle = settings.patience;
  return http::Server::start(settings, [page = std::move(page)](const http::Request& request) { return answer(request, page); });
}

}  // namespace fathom
