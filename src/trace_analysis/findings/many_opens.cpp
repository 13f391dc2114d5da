// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  Some opens;
  std::uint64_t most = 0;
  for (const RankFacts& rank : evidence.facts.by_rank) {
    opens.calls += rank.opens;
    opens.time += rank.open_time;
    most = std::max(most, rank.opens);
  }
  if (opens.calls < std::uint64_t{100} * std::max(1u, evidence.facts.ranks)) return;
  std::size_t files = 0;
  for (const FileFacts& file : evidence.facts.files) files += file.opens.calls > 0;
  evidence.report(
      findings, kind, no_file, opens,
      fmt::format("{} opens of {} by {}, {} by one; opens and closes take {:.3f} s", human_count(opens.calls), counted(files, "file"),
                  counted(evidence.facts.ranks, "rank"), human_count(most), static_cast<double>(opens.time) / 1e9));
}

}  // namespace

extern const FindingKind many_opens;
constinit const FindingKind many_opens{.name = "many_opens",
                                       .what = "Ranks open many files, and the time goes into opening and closing them.",
                                       .advice =
                                           "Put what belongs together into one file (a container format such as HDF5, or one file per "
                                           "node), or unpack small files to node-local storage first.",
                                       .hint = "",
                                       .where = "the program, or its input",
                                       .threshold = "100 opens by each rank on average; the time of opens and closes counts",
                                       .look = look};
}  // namespace fathom::trace::findings
