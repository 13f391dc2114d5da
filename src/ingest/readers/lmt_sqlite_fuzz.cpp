// SPDX-License-Identifier: Apache-2.0
// SQLite opens its file by name (and follows links to it), so the bytes go into a real one.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "ingest/reader.h"

namespace fathom {
extern const Reader lmt_sqlite;
}

namespace {

struct ScratchFile {
  char path[32] = "/tmp/lmt_sqlite_fuzz_XXXXXX";
  int descriptor = ::mkstemp(path);
  ~ScratchFile() { ::unlink(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFile file;
  if (file.descriptor < 0 || ::ftruncate(file.descriptor, 0) != 0 || ::pwrite(file.descriptor, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)fathom::lmt_sqlite.recognises(text, "input");
  const auto gathered = fathom::gather(fathom::lmt_sqlite, text, {}, file.path);
  if (!gathered) return 0;
  for (const fathom::Sample& sample : gathered->batch.samples)
    if (sample.series >= gathered->series.size() || sample.has == 0) std::abort();
  return 0;
}
