// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    const Some &few = file.small_strided, &all = file.independent;
    if (file.writers < 2 || few.calls < 32 || 2 * few.calls < all.calls) continue;
    const double write_time = static_cast<double>(file.of[1].posix.time);
    evidence.report(
        findings, kind, file.file, few,
        fmt::format("{} POSIX writes of independent MPI-IO calls, {} of the file's POSIX write time, are below {} and not where the rank's "
                    "last one ended: "
                    "{} each on average, by {} ranks",
                    of_all(few.calls, all.calls), human_percent(write_time > 0 ? static_cast<double>(few.time) / write_time : 0),
                    human_size(small_request), human_bytes(static_cast<double>(few.bytes) / static_cast<double>(few.calls)), file.writers));
  }
}

}  // namespace

extern const FindingKind strided_writes;
constinit const FindingKind strided_writes{
    .name = "strided_writes",
    .what = "Small strided writes to a shared file by independent MPI-IO calls.",
    .advice =
        "Write collectively (MPI_File_write_all, MPI_File_write_at_all; HDF5: H5FD_MPIO_COLLECTIVE) with collective buffering: a few ranks "
        "then write "
        "large whole blocks.",
    .hint = "romio_cb_write=enable",
    .where = where_hints_go,
    .threshold = "two ranks or more write the file; at least 32 such writes, and half of the POSIX writes of its independent MPI-IO calls",
    .look = look};
}  // namespace fathom::trace::findings
