// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "dashboard/dashboard.h"
#include "dashboard/simulation_run.h"

namespace fathom::dashboard {
namespace {

/// The entry with its result, which is a text already.
std::string with_result(const Simulation& simulation) {
  std::string text = entry_json(simulation).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.pop_back();
  text += ",\"result\":";
  text += simulation.result ? *simulation.result : "null";
  return text + "}";
}

/// For a file: the simulation's own name, in letters that every disk takes.
std::string file_name(const Simulation& simulation, std::string_view ending) {
  std::string name;
  for (const char c : simulation.asked.title.substr(0, 60))
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' ? c : '_';
  return fmt::format("{}{}", name, ending);
}

Result<Reply> answer_list(Dashboard& dashboard, const Call&) {
  Json list = Json::array();
  for (const Simulation& each : dashboard.simulations().all()) list.push_back(entry_json(each));
  return json_reply({{"simulations", std::move(list)}});
}

Result<Reply> answer_add(Dashboard& dashboard, const Call& call) {
  TRY(simulate::WhatIf asked, simulate::parse_what_if(call.body()));
  TRY(std::string scenario, plan_simulation(dashboard, asked, dashboard.simulations().limits()));
  TRY(const Simulation added, dashboard.simulations().add(std::move(asked), std::move(scenario)));
  return json_reply(entry_json(added));
}

Result<Reply> answer_one(Dashboard& dashboard, const Call& call) {
  TRY(const Simulation found, dashboard.simulations().find(call.word("id")));
  Reply reply;
  reply.body = with_result(found);
  return reply;
}

Result<Reply> answer_remove(Dashboard& dashboard, const Call& call) {
  TRY(const Simulation removed, dashboard.simulations().remove(call.word("id")));
  return json_reply(entry_json(removed));
}

Result<Reply> answer_events(Dashboard& dashboard, const Call& call) {
  Reply reply;
  TRY(reply.events, dashboard.simulations().events(call.word("id")));
  return reply;
}

Result<Reply> answer_page(Dashboard& dashboard, const Call& call) {
  TRY(const Simulation found, dashboard.simulations().find(call.word("id")));
  if (!found.result)
    return Error{ErrorKind::not_found, fmt::format("simulation {} has no result: it is {}", found.id, name_of(found.state))};
  if (!dashboard.settings().what_if_page) return Error{ErrorKind::unsupported, "this server makes no pages"};
  Reply reply;
  reply.body = dashboard.settings().what_if_page(*found.result);
  reply.type = "text/html; charset=utf-8";
  reply.file_name = file_name(found, ".html");
  return reply;
}

/// How to run the same by hand stands in front.
Result<Reply> answer_scenario(Dashboard& dashboard, const Call& call) {
  TRY(const Simulation found, dashboard.simulations().find(call.word("id")));
  const simulate::WhatIf& asked = found.asked;
  const std::string name = file_name(found, ".toml");
  std::string command = "fathom simulate " + name;
  if (asked.store) {
    TRY(const StoreSource* source, dashboard.store(*asked.store));
    std::string word;
    for (const char c : source->name()) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += fmt::format(" --store '{}'", word);
  }
  if (asked.from) command += fmt::format(" --from {:.6f}", *asked.from);
  if (asked.to) command += fmt::format(" --to {:.6f}", *asked.to);
  for (const std::string& axis : simulate::sweep_words(asked)) command += fmt::format(" --sweep '{}'", axis);
  std::erase(command, '\n');
  Reply reply;
  reply.body = fmt::format("# {}\n# {}\n{}", asked.title, command, found.scenario);
  reply.type = "text/plain; charset=utf-8";
  reply.file_name = name;
  return reply;
}

}  // namespace

namespace endpoints {
extern const Endpoint simulations, add_simulation, simulation, remove_simulation, simulation_events, simulation_page, simulation_scenario;
constinit const Endpoint simulations{.method = "GET",
                                     .path = "/simulations",
                                     .summary = "Simulations that wait, run or have ended, the newest first",
                                     .answers = "SimulationList",
                                     .parameters = {},
                                     .answer = answer_list};
constinit const Endpoint add_simulation{.method = "POST",
                                        .path = "/simulations",
                                        .summary = "Starts a simulation, given as a `SimulationRequest`",
                                        .answers = "SimulationEntry",
                                        .parameters = {},
                                        .answer = answer_add};
constinit const Endpoint simulation{.method = "GET",
                                    .path = "/simulations/{id}",
                                    .summary = "A simulation with its result",
                                    .answers = "SimulationAnswer",
                                    .parameters = {},
                                    .answer = answer_one};
constinit const Endpoint remove_simulation{.method = "DELETE",
                                           .path = "/simulations/{id}",
                                           .summary = "Stops a simulation; one that has ended is forgotten",
                                           .answers = "SimulationEntry",
                                           .parameters = {},
                                           .answer = answer_remove};
constinit const Endpoint simulation_events{.method = "GET",
                                           .path = "/simulations/{id}/events",
                                           .summary = "How far a simulation is, as server-sent events `simulation`, until it has ended",
                                           .answers = "SimulationEntry",
                                           .parameters = {},
                                           .answer = answer_events};
constinit const Endpoint simulation_page{.method = "GET",
                                         .path = "/simulations/{id}/page",
                                         .summary = "The result as a page to keep: one HTML file",
                                         .answers = "",
                                         .parameters = {},
                                         .answer = answer_page};
constinit const Endpoint simulation_scenario{.method = "GET",
                                             .path = "/simulations/{id}/scenario.toml",
                                             .summary = "Its scenario as a file for `fathom simulate`",
                                             .answers = "",
                                             .parameters = {},
                                             .answer = answer_scenario};
}  // namespace endpoints
}  // namespace fathom::dashboard
