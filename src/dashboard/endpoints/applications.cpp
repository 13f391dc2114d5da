// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text.h"
#include "dashboard/store_answers.h"
#include "mine/dossier.h"
#include "mine/page_data.h"

namespace fathom::dashboard {
namespace {

constexpr std::array list_parameters = {
    Parameter{"state", "only those in this state: unknown, watch list, rejected or validated"},
    Parameter{"search", "a part of the user or the name"},
    Parameter{
        "sort",
        "user, name, nodes, state, period_s, burst_bytes, throughput, footprint, samples or confidence; with - in front the largest first"},
    Parameter{"offset", "rows to pass over", Parameter::Kind::whole},
    Parameter{"limit", "rows at most (default 50, 500 at most)", Parameter::Kind::whole}};
constexpr std::array one_parameters = {Parameter{"user", "its user", Parameter::Kind::text, true},
                                       Parameter{"name", "its name", Parameter::Kind::text, true},
                                       Parameter{"nodes", "its compute nodes", Parameter::Kind::whole, true}};

const mine::Pattern* best_of(const mine::Finding& finding) { return finding.patterns.empty() ? nullptr : &finding.patterns.front(); }

Json row_of(const mine::Finding& finding) {
  const mine::Pattern* best = best_of(finding);
  const auto of = [&](double mine::Pattern::*member) { return best ? number_or_null(best->*member) : Json(nullptr); };
  return {{"user", finding.name.user},
          {"name", finding.name.name},
          {"nodes", finding.name.nodes},
          {"state", mine::state_name(finding.state)},
          {"reason", finding.reason},
          {"patterns", finding.patterns.size()},
          {"period_s", of(&mine::Pattern::period)},
          {"burst_bytes", of(&mine::Pattern::burst_bytes)},
          {"burst_s", of(&mine::Pattern::burst_s)},
          {"throughput", of(&mine::Pattern::throughput)},
          {"footprint", of(&mine::Pattern::footprint)},
          {"samples", best ? Json(best->shown) : Json(0)},
          {"support", best ? number_or_null(best->support()) : Json(0)},
          {"confidence", of(&mine::Pattern::confidence)}};
}

/// Numbers before what has none, whichever way it is sorted.
bool before(const Json& a, const Json& b, bool largest) {
  if (a.is_null() || b.is_null()) return !a.is_null() && b.is_null();
  return largest ? b < a : a < b;
}

Result<Reply> answer_list(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  const auto state = call.text("state"), search = call.text("search");
  Json by_state{{"unknown", 0}, {"watch list", 0}, {"rejected", 0}, {"validated", 0}};
  if (state && !by_state.contains(*state))
    return Error{ErrorKind::usage,
                 fmt::format("reading parameter state: {} is none of unknown, watch list, rejected, validated", excerpt(*state))};
  std::vector<Json> rows;
  for (const mine::KnownApplication& known : *moment->applications) {
    Json& count = by_state[std::string(mine::state_name(known.finding.state))];
    count = count.get<std::uint64_t>() + 1;
    if (state && mine::state_name(known.finding.state) != *state) continue;
    if (search && known.finding.name.user.find(*search) == std::string::npos && known.finding.name.name.find(*search) == std::string::npos)
      continue;
    rows.push_back(row_of(known.finding));
  }
  std::string by = call.text_or("sort", "-confidence");
  const bool largest = by.starts_with('-');
  if (largest) by.erase(0, 1);
  if (!row_of({}).contains(by)) return Error{ErrorKind::usage, fmt::format("reading parameter sort: there is no column {}", excerpt(by))};
  std::stable_sort(rows.begin(), rows.end(), [&](const Json& a, const Json& b) { return before(a[by], b[by], largest); });
  const std::size_t offset = std::min<std::size_t>(call.whole("offset").value_or(0), rows.size()),
                    end = std::min<std::size_t>(rows.size(), offset + call.whole_within("limit", 50, 1, 500));
  Json list{{"total", rows.size()}, {"offset", offset}, {"by_state", std::move(by_state)}, {"rows", Json::array()}};
  for (std::size_t i = offset; i < end; ++i) list["rows"].push_back(std::move(rows[i]));
  return json_reply(list);
}

Result<Reply> answer_one(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  const std::uint64_t nodes = *call.whole("nodes");
  if (nodes > UINT32_MAX) return Error{ErrorKind::usage, "reading parameter nodes: so many there are not"};
  TRY(Database database, Database::open({.threads = 1}));
  mine::PageOptions options;
  options.version = dashboard.settings().version;
  options.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  TRY(const mine::Dossier dossier,
      mine::dossier_of(*moment->snapshot, database, {*call.text("user"), *call.text("name"), static_cast<std::uint32_t>(nodes)},
                       options.settings));
  return json_reply(mine::page_data(dossier, options));
}

}  // namespace

namespace endpoints {
extern const Endpoint applications, application;
constinit const Endpoint applications{.method = "GET",
                                      .path = "/stores/{store}/applications",
                                      .summary = "What mining knows of applications, a page at a time",
                                      .answers = "ApplicationList",
                                      .parameters = list_parameters,
                                      .answer = answer_list,
                                      .version = store_version};
constinit const Endpoint application{.method = "GET",
                                     .path = "/stores/{store}/application",
                                     .summary = "One application: its patterns, their evidence, its bursts and runs",
                                     .answers = "ApplicationAnswer",
                                     .parameters = one_parameters,
                                     .answer = answer_one,
                                     .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
