// SPDX-License-Identifier: Apache-2.0
// The one list of findings: a new one is its own file in this folder and its name here.
#include "trace_analysis/finding.h"

namespace fathom::trace {
namespace findings {
extern const FindingKind data_sieving, strided_writes, shared_file_contention, rank_imbalance, tiny_requests, repeated_opens, many_opens,
    rereads, unaligned_requests, sync_storm;
}

std::span<const FindingKind* const> all_finding_kinds() {
  using namespace findings;
  static const FindingKind* const all[] = {
      &data_sieving, &strided_writes, &shared_file_contention, &rank_imbalance, &tiny_requests, &repeated_opens,
      &many_opens,   &rereads,        &unaligned_requests,     &sync_storm};
  return all;
}

}  // namespace fathom::trace
