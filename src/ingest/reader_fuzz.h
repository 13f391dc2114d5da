// SPDX-License-Identifier: Apache-2.0
/// A fuzz target of one reader: any bytes must be read to an end without a crash, and every sample and job must be sane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {

inline void fuzz_reader(const Reader& reader, const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)reader.recognises(text, "input");
  const auto gathered = gather(reader, text);
  if (!gathered) return;
  for (const Sample& sample : gathered->batch.samples) {
    if (sample.series >= gathered->series.size() || sample.has == 0) std::abort();
  }
  for (const Job& job : gathered->batch.jobs) {
    if (job.id.empty() || job.start == no_time || (job.end != no_time && job.end < job.start)) std::abort();
    if (job.id != as_utf8(job.id) || job.name != as_utf8(job.name) || job.node_list != as_utf8(job.node_list)) std::abort();
  }
  for (const JobRun& run : gathered->batch.runs) {
    if (run.job.id.empty() || run.job.end < run.job.start || run.start > run.end || run.job.name != as_utf8(run.job.name) ||
        run.command != as_utf8(run.command))
      std::abort();
    for (const slices::Process& process : run.slices.processes)
      for (std::size_t i = 0; i < process.slices.size(); ++i) {
        if (i > 0 && process.slices[i].number <= process.slices[i - 1].number) std::abort();
        for (const std::uint64_t value : process.slices[i].values)
          if (value > INT64_MAX) std::abort();
      }
  }
  if (gathered->account.samples != gathered->batch.samples.size() || gathered->account.jobs != gathered->batch.jobs.size()) std::abort();
}

}  // namespace fathom

#define FATHOM_FUZZ_READER(reader)                                                    \
  namespace fathom {                                                                  \
  extern const Reader reader;                                                         \
  }                                                                                   \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fathom::fuzz_reader(fathom::reader, data, size);                                  \
    return 0;                                                                         \
  }
