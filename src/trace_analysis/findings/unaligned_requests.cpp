// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    for (std::size_t d = 0; d < 2; ++d) {
      const Some &odd = file.of[d].unaligned, &all = file.of[d].placed;
      // A file of one rank that is walked through suffers little: caches put the pieces together.
      if (file.ranks < 2 || odd.calls < 32 || 2 * odd.calls < all.calls) continue;
      evidence.report(
          findings, kind, file.file, odd,
          fmt::format("{} {}s above {} begin at no multiple of {}, {} of their time; {} ranks share the file", of_all(odd.calls, all.calls),
                      direction_names[d], human_size(tiny_request), human_size(file.alignment),
                      human_percent(all.time > 0 ? static_cast<double>(odd.time) / static_cast<double>(all.time) : 0), file.ranks));
    }
  }
}

}  // namespace

extern const FindingKind unaligned_requests;
constinit const FindingKind unaligned_requests{
    .name = "unaligned_requests",
    .what = "Requests to a shared file begin inside blocks, so that ranks lock and read each other's.",
    .advice =
        "Begin each rank's part at a multiple of the block or stripe: pad it, or let the library do so (HDF5: H5Pset_alignment; PnetCDF: "
        "nc_var_align_size).",
    .hint = "striping_unit=1048576",
    .where = "the program; the hint, at creation of the file, sets the stripe to align to",
    .threshold =
        "two ranks or more use the file; 32 requests or more of one direction above 4 KiB, and half of those, begin at no multiple of 4 "
        "KiB (of the "
        "stripe, where a hint tells it)",
    .look = look};
}  // namespace fathom::trace::findings
