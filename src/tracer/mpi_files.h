// SPDX-License-Identifier: Apache-2.0
/// The files that a program has open through MPI, and the requests on them that are under way.
#pragma once

#include <cstdint>

#include "tracer/mpi_library.h"
#include "tracer/pending.h"

namespace fathom::trace::mpi {

struct OpenFile {
  std::uint32_t object;
  bool ignored;               // excluded by pattern
  bool sequential;            // MPI_MODE_SEQUENTIAL: there are no offsets
  bool dense;                 // the view has no holes: element n begins at displacement + n * element
  bool blank;                 // the view holds no bytes: the libraries divide by its size
  std::int64_t displacement;  // below 0: not known
  std::int64_t element;       // bytes
  std::int64_t split_offset;  // of the split collective call that has begun
  std::uint64_t split_bytes;

  /// The byte at which an element begins.
  std::int64_t byte(long file, std::int64_t at) const;
};

struct Request {
  std::uint32_t object;
  std::int64_t offset;
  std::uint64_t bytes;
};

extern Pending<OpenFile, 4096> open_files;
extern Pending<Request, 16384> requests;

/// The name without the prefix by which ROMIO is told a file system's driver ("nfs:").
const char* without_driver(const char* path);
/// MPI_MODE_* as O_*.
int open_flags(int mode);
/// Keeps the hints of a file with it.
void define_hints(long file, std::uint32_t object);

}  // namespace fathom::trace::mpi
