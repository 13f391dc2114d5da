// SPDX-License-Identifier: Apache-2.0
// The one list of readers: a new format is its own file in this folder and its name here.
#include <algorithm>

#include <fmt/format.h>

#include "ingest/reader.h"

namespace fathom {

extern const Reader gpfs_mmpmon;
extern const Reader mmperfmon;
extern const Reader lustre_stats;
extern const Reader lustre_job_stats;
extern const Reader lmt_sqlite;
extern const Reader counters_csv;
extern const Reader slurm_sacct;
extern const Reader pbs_accounting;
extern const Reader sge_accounting;
extern const Reader lsf_acct;
extern const Reader jobs_csv;
extern const Reader swf;
extern const Reader tokio_hdf5;
extern const Reader llview_fsusage;
extern const Reader darshan_dxt;
extern const Reader darshan_text;

std::span<const Reader* const> all_readers() {
  static constexpr const Reader* readers[] = {&gpfs_mmpmon,  &mmperfmon, &lustre_stats, &lustre_job_stats, &lmt_sqlite, &tokio_hdf5, &counters_csv,
                                              &jobs_csv,     &slurm_sacct,  &pbs_accounting,   &sge_accounting, &lsf_acct,
                                              &llview_fsusage, &darshan_dxt, &darshan_text, &swf};
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

Result<Gathered> gather(const Reader& reader, LineInput input, const ReadOptions& options) {
  Gathered gathered;
  Harvest harvest(gathered.series, SIZE_MAX, [&](Batch& batch) { gathered.batch = std::move(batch); });
  harvest.begin_source(input.path(), 1);
  TRY_VOID(reader.read(input, options, harvest));
  harvest.flush();
  gathered.account = harvest.account();
  return gathered;
}

Result<Gathered> gather(const Reader& reader, std::string_view text, const ReadOptions& options, std::string name) {
  return gather(reader, LineInput::from_memory(std::move(name), text), options);
}

}  // namespace fathom
