// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  const RunFacts& facts = evidence.facts;
  if (!facts.mpi || facts.ranks < 2 || facts.io_time == 0) return;
  const auto longest =
      std::max_element(facts.by_rank.begin(), facts.by_rank.end(), [](const RankFacts& a, const RankFacts& b) { return a.time < b.time; });
  const double mean = static_cast<double>(facts.io_time) / facts.ranks, most = static_cast<double>(longest->time);
  std::uint64_t bytes = 0;
  for (const RankFacts& rank : facts.by_rank) bytes += rank.bytes;
  const double mean_bytes = static_cast<double>(bytes) / facts.ranks;
  // Of two ranks one can do no more than twice the mean.
  const double much = facts.ranks == 2 ? 1.8 : 2;
  if (most < much * mean || static_cast<double>(longest->bytes) < 1.5 * mean_bytes) return;
  // What the others could take over: all that is above the mean.
  const Some above{0, longest->bytes, static_cast<std::int64_t>(most - mean)};
  evidence.report(
      findings, kind, no_file, above,
      fmt::format("rank {} spends {:.3f} s in I/O and moves {}; the mean over {} ranks is {:.3f} s and {}: {:.1f} times the time",
                  evidence.trace.units[static_cast<std::size_t>(longest - facts.by_rank.begin())].rank, most / 1e9,
                  human_bytes(static_cast<double>(longest->bytes)), facts.ranks, mean / 1e9, human_bytes(mean_bytes), most / mean));
}

}  // namespace

extern const FindingKind rank_imbalance;
constinit const FindingKind rank_imbalance{
    .name = "rank_imbalance",
    .what = "One rank does much more I/O than the others, which may wait for it.",
    .advice =
        "Share the I/O out: parallel or collective reads and writes instead of one rank that gathers and writes, or equal parts for all.",
    .hint = "",
    .where = "the program",
    .threshold =
        "an MPI program; the rank that spends most time in I/O spends at least twice the mean (of two ranks: 1.8 times), and moves at "
        "least 1.5 times the mean of bytes",
    .look = look};
}  // namespace fathom::trace::findings
