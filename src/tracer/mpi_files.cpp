// SPDX-License-Identifier: Apache-2.0
#include "tracer/mpi_files.h"

#include <fcntl.h>

#include <cstring>

#include "trace_format/record.h"
#include "tracer/process.h"

namespace fathom::trace::mpi {

constinit Pending<OpenFile, 4096> open_files;
constinit Pending<Request, 16384> requests;

std::int64_t OpenFile::byte(long file, std::int64_t at) const {
  if (at < 0 || blank || sequential || displacement < 0) return no_offset;
  return dense ? displacement + at * element : byte_offset(file, at);
}

const char* without_driver(const char* path) {
  static constexpr const char* drivers[] = {
      "ufs:", "nfs:", "xfs:", "gpfs:", "lustre:", "panfs:", "pvfs2:", "pvfs:", "testfs:", "gridftp:", "ime:", "daos:", "quobyte:"};
  for (const char* driver : drivers)
    if (std::strncmp(path, driver, std::strlen(driver)) == 0) return path + std::strlen(driver);
  return path;
}

int open_flags(int mode) {
  // The same numbers in both families.
  enum { create = 1, reads = 2, writes = 4, both = 8, exclusive = 64, append = 128 };
  return ((mode & both)     ? O_RDWR
          : (mode & writes) ? O_WRONLY
                            : O_RDONLY) |
         ((mode & create) ? O_CREAT : 0) | ((mode & exclusive) ? O_EXCL : 0) | ((mode & append) ? O_APPEND : 0);
}

void define_hints(long file, std::uint32_t object) {
  for_each_hint(
      file,
      [](const char* text, std::size_t bytes, void* of) {
        define(new_object(), DefinitionKind::hint, *static_cast<std::uint32_t*>(of), text, bytes, Definition{});
      },
      &object);
}

}  // namespace fathom::trace::mpi
