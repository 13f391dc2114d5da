// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    for (std::size_t d = 0; d < 2; ++d) {
      const Some &tiny = file.of[d].tiny, &all = file.of[d].posix;
      if (tiny.calls < 100 || 2 * tiny.calls < all.calls) continue;
      evidence.report(findings, kind, file.file, tiny,
                      fmt::format("{} POSIX {}s of the file, {} of their time, have at most {}: {} on average, {} of the bytes",
                                  of_all(tiny.calls, all.calls), direction_names[d],
                                  human_percent(all.time > 0 ? static_cast<double>(tiny.time) / static_cast<double>(all.time) : 0),
                                  human_size(tiny_request), human_bytes(static_cast<double>(tiny.bytes) / static_cast<double>(tiny.calls)),
                                  human_percent(all.bytes > 0 ? static_cast<double>(tiny.bytes) / static_cast<double>(all.bytes) : 0)));
    }
  }
}

}  // namespace

extern const FindingKind tiny_requests;
constinit const FindingKind tiny_requests{
    .name = "tiny_requests",
    .what = "Most requests are tiny: each pays the way to the file system for a few bytes.",
    .advice =
        "Gather data in memory and move it in large pieces: a buffer in the program, C's streams with a large setvbuf, or collective "
        "MPI-IO.",
    .hint = "",
    .where = "the program",
    .threshold =
        "at least 100 requests of one direction with at most 4 KiB, and half of the file's; C's streams are left out, they are buffered",
    .look = look};
}  // namespace fathom::trace::findings
