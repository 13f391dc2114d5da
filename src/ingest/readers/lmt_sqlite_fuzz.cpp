// SPDX-License-Identifier: Apache-2.0
// SQLite wants a file of its own, so the bytes go into one that exists in memory only.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "ingest/reader.h"

namespace fathom {
extern const Reader lmt_sqlite;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = ::memfd_create("lmt_sqlite", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)fathom::lmt_sqlite.recognises(text, "input");
  const auto gathered = fathom::gather(fathom::lmt_sqlite, text, {}, "/proc/self/fd/" + std::to_string(file));
  if (!gathered) return 0;
  for (const fathom::Sample& sample : gathered->batch.samples)
    if (sample.series >= gathered->series.size() || sample.has == 0) std::abort();
  return 0;
}
