// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "dashboard/api.h"
#include "dashboard/trace_answers.h"

namespace fathom::dashboard {
namespace {

constexpr double recent = 300;  // seconds: a store with newer counters is followed live

double unix_now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

Json store_entry(const StoreSource& store) {
  const std::string problem = store.problem();
  const auto moment = store.peek();
  Json entry{{"id", store.id()},
             {"name", store.name()},
             {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
             {"commit", moment ? moment->commit : 0},
             {"start", nullptr},
             {"end", nullptr},
             {"jobs", moment ? moment->jobs->size() : 0},
             {"filesystems", Json::array()},
             {"live", false}};
  if (!moment || !moment->counters) return entry;
  entry["start"] = unix_seconds(moment->counters->from);
  entry["end"] = unix_seconds(moment->counters->to);
  for (const std::string& name : moment->counters->filesystems) entry["filesystems"].push_back(name);
  entry["live"] = unix_now() - unix_seconds(moment->counters->to) < recent;
  return entry;
}

Result<Reply> answer_catalog(Dashboard& dashboard, const Call&) {
  const SimulationLimits& limits = dashboard.simulations().limits();
  Json catalog{{"version", dashboard.settings().version},
               {"stores", Json::array()},
               {"traces", Json::array()},
               {"simulations",
                {{"allowed", limits.allowed},
                 {"most_at_once", limits.most_waiting},
                 {"most_kept", limits.most_kept},
                 {"most_requests", limits.most_requests},
                 {"most_combinations", limits.most_combinations}}}};
  for (const auto& store : dashboard.stores()) catalog["stores"].push_back(store_entry(*store));
  for (const auto& trace : dashboard.traces()) catalog["traces"].push_back(trace_entry(*trace));
  return json_reply(catalog);
}

Result<Reply> answer_events(Dashboard& dashboard, const Call&) {
  Reply reply;
  reply.events = dashboard.subscribe();
  return reply;
}

Result<Reply> answer_description(Dashboard&, const Call&) { return json_reply(openapi()); }

}  // namespace

namespace endpoints {
extern const Endpoint catalog, events, description;
constinit const Endpoint catalog{.method = "GET",
                                 .path = "/",
                                 .summary = "The stores and traces that are served",
                                 .answers = "Catalog",
                                 .parameters = {},
                                 .answer = answer_catalog};
constinit const Endpoint events{.method = "GET",
                                .path = "/events",
                                .summary = "Changes as they happen, as server-sent events: `store`, `trace` and `simulation`",
                                .answers = "StoreEvent",
                                .parameters = {},
                                .answer = answer_events};
constinit const Endpoint description{
    .method = "GET", .path = "/openapi.json", .summary = "This description", .answers = "", .parameters = {}, .answer = answer_description};
}  // namespace endpoints
}  // namespace fathom::dashboard
