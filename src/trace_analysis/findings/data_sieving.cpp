// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    const SieveFacts& sieve = file.sieve;
    if (sieve.cycles < 4 || 10 * sieve.sieving.calls < sieve.writes.calls) continue;
    const double time = static_cast<double>(sieve.sieving.time), all = static_cast<double>(sieve.writes.time);
    const double moved = static_cast<double>(sieve.moved), asked = static_cast<double>(sieve.sieving.bytes);
    evidence.report(findings, kind, file.file, sieve.sieving,
                    fmt::format("{} MPI-IO writes, {} of MPI-IO write time: {} cycles of reading, changing and writing back, with {} "
                                "locks; {} asked for, {} moved{}; "
                                "{} of the time of these writes went into reads, locks and unlocks",
                                of_all(sieve.sieving.calls, sieve.writes.calls), human_percent(all > 0 ? time / all : 0),
                                human_count(sieve.cycles), human_count(sieve.locks), human_bytes(asked), human_bytes(moved),
                                asked > 0 ? fmt::format(" ({:.1f} times)", moved / asked) : "",
                                human_percent(time > 0 ? static_cast<double>(sieve.overhead) / time : 0)),
                    true);
  }
}

}  // namespace

extern const FindingKind data_sieving;
constinit const FindingKind data_sieving{
    .name = "data_sieving",
    .what = "Data sieving in writes: MPI-IO locks and reads a range of the file, changes it in memory and writes it back.",
    .advice =
        "Disable data sieving for writes; it pays only where few bytes change in data that is already there. With collective calls, "
        "collective buffering writes whole blocks instead.",
    .hint = "romio_ds_write=disable",
    .where = where_hints_go,
    .threshold =
        "at least 4 cycles (a read and a write of the same range inside an MPI-IO write), in a tenth of the MPI-IO writes of the file, "
        "with 0.01 % of the run's time, however little of the I/O that is",
    .look = look};
}  // namespace fathom::trace::findings
