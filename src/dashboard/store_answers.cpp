// SPDX-License-Identifier: Apache-2.0
#include "dashboard/store_answers.h"

#include <cmath>
#include <set>

namespace fathom::dashboard {

Json kept_json(const std::vector<KeptSetting>& settings) {
  struct Kept {
    std::uint64_t jobs = 0;
    std::set<std::uint64_t> thresholds, small;
  };
  std::map<std::pair<std::string, std::string>, Kept> all;
  std::vector<std::pair<std::string, std::string>> order;  // most jobs first, as they come
  for (const KeptSetting& each : settings) {
    const auto [at, added] = all.try_emplace({each.link, each.filesystem});
    if (added) order.push_back(at->first);
    at->second.jobs = std::max(at->second.jobs, each.jobs);
    at->second.thresholds.insert(each.threshold);
    at->second.small.insert(each.small);
  }
  Json list = Json::array();
  for (const auto& key : order) {
    const Kept& kept = all.at(key);
    list.push_back(
        {{"link", key.first}, {"filesystem", key.second}, {"jobs", kept.jobs}, {"thresholds", kept.thresholds}, {"small", kept.small}});
  }
  return list;
}

Result<std::string> store_version(Dashboard& dashboard, const Call& call) {
  TRY(const StoreSource* source, dashboard.store(call.word("store")));
  return source->version();
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace fathom::dashboard
