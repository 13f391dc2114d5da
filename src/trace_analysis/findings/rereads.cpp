// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    const Some &again = file.again, &all = file.of[0].posix;
    if (again.calls < 16 || again.bytes < (1u << 20) || 4 * again.bytes < all.bytes) continue;
    evidence.report(
        findings, kind, file.file, again,
        fmt::format("{} of {} read from the file had been read by the same rank before, with nothing written to it between: {} reads",
                    human_bytes(static_cast<double>(again.bytes)), human_bytes(static_cast<double>(all.bytes)),
                    of_all(again.calls, all.calls)));
  }
}

}  // namespace

extern const FindingKind rereads;
constinit const FindingKind rereads{
    .name = "rereads",
    .what = "The same bytes are read again by the same rank.",
    .advice = "Keep them in memory, or copy the file to node-local storage at the start; one rank can read and broadcast what all need.",
    .hint = "",
    .where = "the program",
    .threshold =
        "16 reads or more, 1 MiB or more and a quarter of the bytes read from the file; up to 1024 separate ranges of a file and rank are "
        "remembered",
    .look = look};
}  // namespace fathom::trace::findings
