// SPDX-License-Identifier: Apache-2.0
// The one list of readers: a new format is its own file in this folder and its line here, at its place in the order of recognition.
// clang-format off
#define FATHOM_READERS(listed) \
  listed(gpfs_mmpmon) \
  listed(mmperfmon) \
  listed(lustre_stats) \
  listed(lustre_job_stats) \
  listed(lmt_sqlite) \
  listed(tokio_hdf5) \
  listed(counters_csv) \
  listed(jobs_csv) \
  listed(slurm_sacct) \
  listed(pbs_accounting) \
  listed(sge_accounting) \
  listed(lsf_acct) \
  listed(llview_fsusage) \
  listed(darshan_dxt) \
  listed(darshan_text) \
  listed(swf)

// clang-format on
#include <fmt/format.h>

#include <algorithm>

#include "ingest/reader.h"

namespace fathom {

#define DECLARED(name) extern const Reader name;
FATHOM_READERS(DECLARED)

std::span<const Reader* const> all_readers() {
#define POINTER(name) &name,
  static constexpr const Reader* readers[] = {FATHOM_READERS(POINTER)};
  return readers;
}

const Reader* reader_named(std::string_view name) {
  const auto readers = all_readers();
  const auto found = std::find_if(readers.begin(), readers.end(), [&](const Reader* reader) { return reader->name == name; });
  return found == readers.end() ? nullptr : *found;
}

Result<const Reader*> reader_for(LineInput& input) {
  const std::string_view first = input.peek();
  TRY_VOID(input.status());
  for (const Reader* reader : all_readers())
    if (reader->recognises(first, input.path())) return reader;
  std::string kinds;
  for (const Reader* reader : all_readers()) kinds += fmt::format("\n  {:<18}{}", reader->name, reader->summary);
  return Error{ErrorKind::unsupported,
               fmt::format("recognising {}: {}; tried each of these by its content, --as NAME forces one:{}", input.path(),
                           first.empty() ? "it is empty" : "it looks like none of the known kinds", kinds)};
}

}  // namespace fathom
