// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    if (file.opened_by == 0 || file.opens.calls < std::uint64_t{8} * file.opened_by) continue;
    const double each = static_cast<double>(file.opens.calls) / file.opened_by;
    evidence.report(findings, kind, file.file, file.opens,
                    fmt::format("{} opens by {}: {:.1f} each on average, {} by one", human_count(file.opens.calls),
                                counted(file.opened_by, "rank"), each, file.most_opens));
  }
}

}  // namespace

extern const FindingKind repeated_opens;
constinit const FindingKind repeated_opens{.name = "repeated_opens",
                                           .what = "The same file is opened again and again.",
                                           .advice = "Open it once and keep it open; read what is needed from it in one go.",
                                           .hint = "",
                                           .where = "the program",
                                           .threshold = "eight opens of the file by each rank that opens it, on average; their time counts",
                                           .look = look};
}  // namespace fathom::trace::findings
