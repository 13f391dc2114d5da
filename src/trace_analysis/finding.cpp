// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace fathom::trace {

bool Evidence::worth_a_word(std::int64_t time) const {
  return static_cast<double>(time) / std::max(1u, facts.ranks) >= 1e-4 * static_cast<double>(facts.duration);
}

bool Evidence::worth_telling(std::int64_t time) const {
  return time >= 1'000'000 && static_cast<double>(time) >= 0.05 * static_cast<double>(facts.io_time) && worth_a_word(time);
}

void Evidence::report(std::vector<Finding>& findings, const FindingKind& kind, std::uint32_t file, const Some& some, std::string text,
                      bool sure) const {
  if (!(sure ? worth_a_word(some.time) : worth_telling(some.time))) return;
  const double share = facts.io_time > 0 ? std::min(1.0, static_cast<double>(some.time) / static_cast<double>(facts.io_time)) : 0;
  int severity = share >= 0.3 ? 2 : share >= 0.1 ? 1 : 0;
  // Much of a little: what takes less than 1 % of the run is a step less urgent.
  if (static_cast<double>(some.time) / std::max(1u, facts.ranks) < 0.01 * static_cast<double>(facts.duration))
    severity = std::max(0, severity - 1);
  findings.push_back({&kind, static_cast<Severity>(severity), file, some.calls, some.bytes, share, std::move(text)});
}

const InFlight* Evidence::in_flight(std::uint32_t file, Direction direction) const {
  const auto at = std::lower_bound(concurrency.begin(), concurrency.end(), file,
                                   [](const auto& each, std::uint32_t wanted) { return each.file < wanted; });
  return at == concurrency.end() || at->file != file ? nullptr : &at->flights[static_cast<std::size_t>(direction)];
}

std::vector<Finding> find_all(const Evidence& evidence) {
  std::vector<Finding> findings;
  for (const FindingKind* kind : all_finding_kinds()) kind->look(evidence, *kind, findings);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.share_of_time > b.share_of_time;
  });
  return findings;
}

std::string of_all(std::uint64_t part, std::uint64_t all) { return fmt::format("{} of {}", human_count(part), human_count(all)); }

}  // namespace fathom::trace
