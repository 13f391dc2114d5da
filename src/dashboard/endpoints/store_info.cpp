// SPDX-License-Identifier: Apache-2.0
#include "dashboard/store_answers.h"

namespace fathom::dashboard {
namespace {

Result<Reply> answer(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  TRY(const auto moment, source->moment());
  TRY(const std::vector<KeptSetting> kept, moment->kept->settings());
  Json info{{"id", source->id()},
            {"name", source->name()},
            {"commit", moment->commit},
            {"start", nullptr},
            {"end", nullptr},
            {"jobs", moment->jobs->size()},
            {"running", moment->jobs->running.size()},
            {"users", moment->jobs->users.size()},
            {"names", moment->jobs->names.size()},
            {"servers", 0},
            {"filesystems", Json::array()},
            {"sampling_step", nullptr},
            {"shared", moment->shared},
            {"metadata", moment->metadata_counters.has_value()},
            {"overview", as_json(source->overview_progress())},
            {"machine", as_json(source->machine_progress())},
            {"criteria", kept_json(kept)},
            {"applications", Json::object()}};
  if (moment->counters) {
    info["start"] = unix_seconds(moment->counters->from);
    info["end"] = unix_seconds(moment->counters->to);
    info["servers"] = moment->counters->servers.size();
    for (const std::string& name : moment->counters->filesystems) info["filesystems"].push_back(name);
  }
  if (moment->usual && !moment->usual->empty()) {
    std::vector<std::int64_t> steps;
    for (const auto& [name, step] : *moment->usual) steps.push_back(step);
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    info["sampling_step"] = static_cast<double>(steps[steps.size() / 2]) / 1e6;
  }
  for (const std::string_view state : {"unknown", "watch list", "rejected", "validated"}) info["applications"][std::string(state)] = 0;
  for (const mine::KnownApplication& known : *moment->applications) {
    Json& count = info["applications"][std::string(mine::state_name(known.finding.state))];
    count = count.get<std::uint64_t>() + 1;
  }
  return json_reply(info);
}

}  // namespace

namespace endpoints {
extern const Endpoint store_info;
constinit const Endpoint store_info{.method = "GET",
                                    .path = "/stores/{store}",
                                    .summary = "What a store holds, and how far it is prepared",
                                    .answers = "StoreInfo",
                                    .parameters = {},
                                    .answer = answer,
                                    .version = store_version};
}  // namespace endpoints
}  // namespace fathom::dashboard
