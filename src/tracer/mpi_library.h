// SPDX-License-Identifier: Apache-2.0
/// The MPI library of the traced program, asked at run time. Handles are kept in 64 bits, whatever their size is there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace::mpi {

/// A call of MPI as the tracer forwards it; see trace_format/mpi_symbols.h.
using Real = int (*)(long, long, long, long, long, long);
using Arguments = long[6];

/// What differs between the two families of libraries and is written into programs when they are compiled.
struct Flavour {
  long world;  // MPI_COMM_WORLD
  long byte;   // MPI_BYTE
  long info_null;
  long ignored_status;  // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE
  std::size_t status_bytes;
  bool wide_requests;  // MPI_Request is a pointer, not an int
  int error_io, error_no_space, error_quota;
};
const Flavour& flavour();

inline constexpr std::size_t status_room = 64;  // bytes that hold a status of any library
inline constexpr int error_other = 15;          // near enough in both families, when there is no library to ask

std::uint64_t request_at(long requests, int index);

std::int64_t type_size(long type);
/// True if the type has no holes: an offset in it is an offset in its bytes.
bool type_is_dense(long type);
std::int64_t bytes_of_status(const void* status);
int error_class(int error);

/// Where the process's own file pointer is, in elements of the view; below 0 if that cannot be told.
std::int64_t position(long file);
/// The byte in the file at which an element of the view begins; no_offset if that cannot be told.
std::int64_t byte_offset(long file, std::int64_t element);

void barrier();
void who(int& rank, int& ranks);
/// The first line of what the library says it is.
const char* version();

/// Calls `each` with "key=value" for all hints of a file.
void for_each_hint(long file, void (*each)(const char* text, std::size_t bytes, void* data), void* data);

}  // namespace fathom::trace::mpi
