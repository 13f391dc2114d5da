// SPDX-License-Identifier: Apache-2.0
#include "store_advice/known_applications.h"

#include <fmt/format.h>

#include <memory>

#include "mine/knowledge.h"

namespace fathom {
advise::KnownPattern as_advice_asks(const mine::Pattern& pattern) {
  return {.filesystem = pattern.filesystem,
          .direction = pattern.direction == 0 ? advise::Direction::read : advise::Direction::write,
          .period_seconds = pattern.period,
          .burst_bytes = pattern.burst_bytes,
          .burst_seconds = pattern.burst_s,
          .mean_throughput = pattern.throughput,
          .peak_throughput = pattern.peak,
          .footprint = pattern.footprint,
          .io_to_compute = pattern.io_share};
}

Result<KnownApplications> known_applications(const Snapshot& snapshot) {
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const std::vector<mine::KnownApplication> all, mine::read_knowledge(snapshot, database));
  KnownApplications known;
  for (const mine::KnownApplication& each : all) {
    const mine::Finding& finding = each.finding;
    if (finding.state != mine::ApplicationState::validated) continue;
    advise::KnownApplication added = {
        .user = finding.name.user, .name = finding.name.name, .nodes = finding.name.nodes, .patterns = {}, .usual_seconds = 0};
    for (const mine::Pattern& pattern : finding.patterns)
      if (pattern.footprint > 0) added.patterns.push_back(as_advice_asks(pattern));  // 0: nobody could tell which servers take part
    if (!added.patterns.empty()) known.emplace(ApplicationKey{added.user, added.name, added.nodes}, added);
  }
  TRY(Rows rows, database.query(fmt::format("SELECT coalesce(user_name, ''), coalesce(name, ''), coalesce(nodes, 0), median(epoch(end_time "
                                            "- start_time))::DOUBLE FROM {} WHERE end_time > start_time GROUP BY 1, 2, 3",
                                            snapshot.rows_of(jobs_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto at =
          known.find({std::string(rows.text(0, i)), std::string(rows.text(1, i)), static_cast<std::uint32_t>(rows.number(2, i))});
      if (at != known.end()) at->second.usual_seconds = rows.real(3, i);
    }
  TRY_VOID(rows.status());
  return known;
}

FindApplication find_in_knowledge_base() {
  return
      [known = std::shared_ptr<const KnownApplications>()](const Snapshot& snapshot, const std::string& user, const std::string& name,
                                                           std::uint32_t nodes) mutable -> Result<std::optional<advise::KnownApplication>> {
        if (!known) {
          TRY(KnownApplications read, known_applications(snapshot));
          known = std::make_shared<const KnownApplications>(std::move(read));
        }
        const auto at = known->find({user, name, nodes});
        if (at == known->end()) return std::optional<advise::KnownApplication>{};
        return std::optional(at->second);
      };
}

}  // namespace fathom
