// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "advise/weights.h"
#include "dashboard/store_answers.h"
#include "slurm/decisions.h"
#include "store_advice/asking.h"
#include "store_advice/store_load.h"

namespace fathom::dashboard {
namespace {

constexpr double most_time = 1e11;  // Unix time: beyond any log

Result<Time> at_of(const Call& call) {
  const auto given = call.number("at");
  if (!given) return no_time;
  if (!(*given >= 0 && *given < most_time)) return Error{ErrorKind::usage, "reading parameter at: it must be Unix time in seconds"};
  return Time{Duration{static_cast<std::int64_t>(std::llround(*given * 1e6))}};
}

Json row_of(const StoreLoad& load, const advise::LoadTable& table, const advise::Trained& trained, std::size_t server,
            std::vector<double>& fractions) {
  table.fractions(server, fractions);
  const bool known = table.coverage(server) > 0;
  Json row{{"server", load.servers[server]}, {"filesystem", load.filesystems[server]}, {"score", nullptr},
           {"mean_throughput", nullptr},     {"coverage", table.coverage(server)},     {"bands", Json::array()}};
  if (!known) return row;
  row["score"] = trained.score(fractions);
  row["mean_throughput"] = number_or_null(table.mean_throughput(server));
  row["bands"] = fractions;
  return row;
}

Result<Reply> answer_load(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const Time at, at_of(call));
  const advise::Trained& trained = dashboard.weights();
  TRY(const StoreLoad load, store_load(*moment->snapshot, at, {}, trained.load));
  advise::LoadSettings settings = trained.load;
  settings.slot_seconds = load.slot_seconds;
  TRY(advise::LoadTable table, advise::LoadTable::make(load.servers.size(), settings));
  for (const auto& slot : load.slots) table.add_slot(slot);
  Json bands = Json::array(), servers = Json::array();
  std::vector<double> fractions(settings.bands.count());
  for (std::size_t band = 0; band < fractions.size(); ++band) bands.push_back(static_cast<double>(band) * settings.bands.width);
  for (std::size_t server = 0; server < load.servers.size(); ++server) servers.push_back(row_of(load, table, trained, server, fractions));
  return json_reply({{"at", unix_seconds(load.at)},
                     {"seconds", settings.seconds()},
                     {"bands", std::move(bands)},
                     {"weights", trained.weights},
                     {"origin", advise::origin_of(trained, dashboard.settings().weights)},
                     {"servers", std::move(servers)}});
}

Json view_of(const advise::PartitionView& view) {
  const bool looked = view.servers > 0;
  return {{"filesystem", view.filesystem},
          {"servers", view.servers},
          {"score", looked ? Json(view.score) : Json(nullptr)},
          {"limit", looked ? number_or_null(view.limit.score) : Json(nullptr)},
          {"enough", view.enough()}};
}

Result<Reply> answer_advice(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  AdviceQuestion question{call.text_or("user", ""), call.text_or("name", ""), 0, no_time, no_time};
  const std::uint64_t nodes = call.whole("nodes").value_or(0);
  if (question.user.empty() || question.name.empty() || nodes == 0 || nodes > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorKind::usage, "asking for advice: a job is given by user, name and a number of nodes"};
  question.nodes = static_cast<std::uint32_t>(nodes);
  TRY(question.at, at_of(call));
  advise::AdvisorSettings settings;
  settings.impact = call.number("impact").value_or(settings.impact);
  if (!(settings.impact >= 1 && settings.impact <= 1000))
    return Error{ErrorKind::usage, "asking for advice: impact must be from 1 to 1000"};
  TRY(const StoreAdvice found, ask_for_advice(*moment->snapshot, question, dashboard.weights(), settings, find_in_knowledge_base()));
  Json views = Json::array();
  for (const advise::PartitionView& each : found.advice.partitions) views.push_back(view_of(each));
  return json_reply({{"at", unix_seconds(found.at)},
                     {"verdict", found.advice.verdict == advise::Verdict::run ? "run" : "delay"},
                     {"reason", found.advice.reason},
                     {"known", found.known},
                     {"views", std::move(views)}});
}

Result<Reply> answer_decisions(Dashboard& dashboard, const Call& call) {
  TRY_VOID(dashboard.store(call.word("store")));
  const std::string& folder = dashboard.settings().advice_state;
  Json rows = Json::array();
  if (folder.empty()) return json_reply({{"source", ""}, {"rows", std::move(rows)}});
  const slurm::DecisionFile file(folder);
  TRY(const std::vector<slurm::Decision> found, file.latest(call.whole_within("limit", 100, 1, 1000)));
  for (const slurm::Decision& each : found)
    rows.push_back({{"time", unix_seconds(each.time)},
                    {"job_id", std::to_string(each.job)},
                    {"user", each.user},
                    {"name", each.name},
                    {"nodes", each.nodes},
                    {"verdict", each.verdict == advise::Verdict::run ? "run" : "delay"},
                    {"reason", each.reason},
                    {"waited", each.waited}});
  return json_reply({{"source", file.path()}, {"rows", std::move(rows)}});
}

constexpr Parameter at_parameter{
    .name = "at", .meaning = "as things were at this Unix time; without it at the end of the counters", .kind = Parameter::Kind::number};
constexpr Parameter load_parameters[] = {at_parameter};
constexpr Parameter advice_parameters[] = {
    {.name = "user", .meaning = "of the job that could start", .required = true},
    {.name = "name", .meaning = "its name", .required = true},
    {.name = "nodes", .meaning = "its nodes", .kind = Parameter::Kind::whole, .required = true},
    at_parameter,
    {.name = "impact", .meaning = "I/O may take so many times as long as alone (1.5)", .kind = Parameter::Kind::number}};
constexpr Parameter decisions_parameters[] = {{.name = "limit", .meaning = "so many at most (100)", .kind = Parameter::Kind::whole}};

}  // namespace

namespace endpoints {
extern const Endpoint load, advice, decisions;
constinit const Endpoint load{.method = "GET",
                              .path = "/stores/{store}/load",
                              .summary = "How busy each server was in the last 20 minutes, and its score",
                              .answers = "LoadAnswer",
                              .parameters = load_parameters,
                              .answer = answer_load,
                              .version = store_version};
constinit const Endpoint advice{.method = "GET",
                                .path = "/stores/{store}/advice",
                                .summary = "Run or delay for one job",
                                .answers = "AdviceAnswer",
                                .parameters = advice_parameters,
                                .answer = answer_advice,
                                .version = store_version};
constinit const Endpoint decisions{.method = "GET",
                                   .path = "/stores/{store}/decisions",
                                   .summary = "What `fathom advise --slurm` decided, the newest first",
                                   .answers = "Decisions",
                                   .parameters = decisions_parameters,
                                   .answer = answer_decisions};
}  // namespace endpoints
}  // namespace fathom::dashboard
