// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "trace_analysis/finding.h"

namespace fathom::trace::findings {
namespace {

void look(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings) {
  for (const FileFacts& file : evidence.facts.files) {
    if (file.ranks < 2) continue;
    for (const Direction direction : {Direction::read, Direction::write}) {
      const InFlight* flight = evidence.in_flight(file.file, direction);
      if (flight == nullptr || flight->most < 2) continue;
      const Serialisation& queue = flight->serialisation;
      if (queue.calls < 16 || !(queue.index() >= 0.5)) continue;
      const Some& all = file.of[static_cast<std::size_t>(direction)].posix;
      const Some lost{queue.calls, all.bytes, queue.lost};
      evidence.report(findings, kind, file.file, lost,
                      fmt::format("{} {}s by {} ranks overlapped others on the file, up to {} at once; serialisation {:.2f} (1: one after "
                                  "the other), {:.1f} served at once; "
                                  "{} of the file's POSIX {} time was waiting for others",
                                  of_all(queue.calls, flight->calls), direction_names[static_cast<std::size_t>(direction)], file.ranks,
                                  flight->most, queue.index(), queue.served_at_once(),
                                  human_percent(flight->time > 0 ? static_cast<double>(queue.lost) / static_cast<double>(flight->time) : 0),
                                  direction_names[static_cast<std::size_t>(direction)]));
    }
  }
}

}  // namespace

extern const FindingKind shared_file_contention;
constinit const FindingKind shared_file_contention{
    .name = "shared_file_contention",
    .what = "Ranks queue for a shared file: their calls begin together and end one after the other.",
    .advice =
        "Spread the file over more storage targets, let fewer ranks write (collective buffering), or give each process, or group of "
        "processes, a file of its own.",
    .hint = "striping_factor=8",
    .where =
        "MPI_Info given to MPI_File_open when the file is created, or `lfs setstripe -c 8 DIRECTORY` before; the number is that of the "
        "targets to use",
    .threshold = "16 calls or more that overlapped calls of other ranks on the file; serialisation of at least 0.5",
    .look = look};
}  // namespace fathom::trace::findings
