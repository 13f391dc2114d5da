// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    const Some& writes = file.of[1].posix;
    if (file.syncs.calls < 16 || 16 * file.syncs.calls < writes.calls) continue;
    evidence.report(findings, kind, file.file, Some{file.syncs.calls, writes.bytes, file.syncs.time},
                    fmt::format("{} syncs for {} of {} in all ({} between two), {:.3f} s in them", human_count(file.syncs.calls),
                                counted(writes.calls, "write"), human_bytes(static_cast<double>(writes.bytes)),
                                human_bytes(static_cast<double>(writes.bytes) / static_cast<double>(file.syncs.calls)),
                                static_cast<double>(file.syncs.time) / 1e9));
  }
}

}  // namespace

extern const FindingKind sync_storm;
constinit const FindingKind sync_storm{.name = "sync_storm",
                                       .what = "Data is forced to disk (fsync and the like) again and again.",
                                       .advice = "Sync once, when a file is complete and before it is given its final name.",
                                       .hint = "",
                                       .where = "the program",
                                       .threshold = "16 syncs of the file or more, and one for each 16 writes; their time counts",
                                       .look = look};
}  // namespace fathom::trace::findings
