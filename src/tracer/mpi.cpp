// SPDX-License-Identifier: Apache-2.0
/// The MPI-IO wrappers, from the table of symbols; those that do more than record are in mpi_by_hand.cpp.
#include <cerrno>

#include "trace_format/mpi_symbols.h"
#include "tracer/mpi_calls.h"
#include "tracer/real.h"

namespace fathom::trace::mpi {
namespace {

const void* pointer(long value) { return reinterpret_cast<const void*>(value); }

/// Element of the view at which a call begins to move data; below 0: not known.
std::int64_t begins_at(const Places& where, const Arguments& a, const OpenFile& file) {
  if (where.offset >= 0) return a[where.offset];
  if (where.offset == own && !file.sequential && !file.blank) return position(a[where.file]);
  return -1;
}

/// Whether a call that failed with this had its arguments checked before: a bad type must not be asked about.
bool failed_in_file(int error) {
  const Flavour& f = flavour();
  return error == f.error_io || error == f.error_no_space || error == f.error_quota;
}

std::uint64_t bytes_asked(const Places& where, const Arguments& a) {
  const std::int64_t count = where.large ? a[where.count] : static_cast<int>(a[where.count]);
  const std::int64_t size = type_size(a[where.type]);
  return count < 0 || size < 0 ? no_bytes : static_cast<std::uint64_t>(count * size);
}

/// What a status says was moved; what was asked where it says nothing sensible.
std::int64_t bytes_moved(const void* status, std::uint64_t asked) {
  const std::int64_t moved = bytes_of_status(status);
  return moved >= 0 && (asked == no_bytes || moved <= static_cast<std::int64_t>(asked)) ? moved : static_cast<std::int64_t>(asked);
}

/// Whether a call moves data, now or later.
bool moves(const Places& where) { return where.count != none; }

}  // namespace

int call_on_file(CallId call, const Places& where, Real real, Arguments& a) {
  if (!real) return error_other;
  OpenFile* const file = open_files.find(static_cast<std::uint64_t>(a[where.file]));
  if (inside(Interface::mpiio) || (file && file->ignored)) return forward(real, a);
  alignas(8) char own_status[status_room] = {};
  std::int64_t offset = no_offset, result = 0;
  std::uint64_t bytes = no_bytes;
  Span time;
  int kept, error;
  {
    const Inside library(Interface::mpiio);
    if (moves(where))
      offset = file ? file->byte(a[where.file], begins_at(where, a, *file)) : no_offset;
    else if (where.offset >= 0)
      offset = a[where.offset];
    if (where.status != none && a[where.status] == flavour().ignored_status) a[where.status] = reinterpret_cast<long>(own_status);
    time.start = ticks();
    error = forward(real, a);
    time.end = ticks();
    kept = errno;
    if (error != 0) result = -error_class(error);
    if (moves(where) && (error == 0 || failed_in_file(static_cast<int>(-result)))) bytes = bytes_asked(where, a);
    if (moves(where) && error == 0)
      result = where.status != none ? bytes_moved(pointer(a[where.status]), bytes) : static_cast<std::int64_t>(bytes);
  }
  if (error == 0 && where.request != none) {
    const std::uint64_t request = request_at(a[where.request], 0);
    Request gone;
    while (requests.take(request, gone)) {
    }
    requests.add(request, {file ? file->object : 0, offset, bytes});
  } else if (error == 0 && moves(where) && where.status == none && file) {
    file->split_offset = offset;
    file->split_bytes = bytes;
  }
  put(call, time, file ? file->object : 0, offset, bytes, result);
  errno = kept;
  return error;
}

int end_of_split(CallId call, int status, Real real, Arguments& a) {
  if (!real) return error_other;
  const OpenFile* const file = open_files.find(static_cast<std::uint64_t>(a[0]));
  if (inside(Interface::mpiio) || (file && file->ignored)) return forward(real, a);
  alignas(8) char own_status[status_room] = {};
  const std::uint64_t asked = file ? file->split_bytes : no_bytes;
  const std::int64_t offset = file ? file->split_offset : no_offset;
  Span time;
  int kept, error;
  std::int64_t result;
  {
    const Inside library(Interface::mpiio);
    if (a[status] == flavour().ignored_status) a[status] = reinterpret_cast<long>(own_status);
    time.start = ticks();
    error = forward(real, a);
    time.end = ticks();
    kept = errno;
    result = error != 0 ? -error_class(error) : bytes_moved(pointer(a[status]), asked);
  }
  put(call, time, file ? file->object : 0, offset, asked, result);
  errno = kept;
  return error;
}

#define FATHOM_MPI_WRAPPER(name, call)                                                \
  FATHOM_WRAPPER(name, int, (long a0, long a1, long a2, long a3, long a4, long a5)) { \
    const Real real = FATHOM_FIND(name, int, (long, long, long, long, long, long));   \
    Arguments a = {a0, a1, a2, a3, a4, a5};                                           \
    return call;                                                                      \
  }
#define FATHOM_MPI_PAIR(name, call) FATHOM_MPI_WRAPPER(name, call) FATHOM_MPI_WRAPPER(P##name, call)

#define FATHOM_MPI_ONE(symbol, file, offset, count, type, status, request) \
  FATHOM_MPI_PAIR(symbol, call_on_file(CallId::symbol, {file, offset, count, type, status, request, false}, real, a))
#define FATHOM_MPI_TWO(symbol, file, offset, count, type, status, request) \
  FATHOM_MPI_ONE(symbol, file, offset, count, type, status, request)       \
  FATHOM_MPI_PAIR(symbol##_c, call_on_file(CallId::symbol, {file, offset, count, type, status, request, true}, real, a))
#define FATHOM_MPI_END(symbol, status) FATHOM_MPI_PAIR(symbol, end_of_split(CallId::symbol, status, real, a))
#define FATHOM_MPI_WAIT(symbol, call, requests, count, statuses, indices) \
  FATHOM_MPI_PAIR(symbol, call_that_waits(CallId::call, {requests, count, statuses, indices}, real, a))
#define FATHOM_MPI_OWN(symbol) FATHOM_MPI_PAIR(symbol, called_##symbol(real, a))

FATHOM_MPI_SYMBOLS(FATHOM_MPI_ONE, FATHOM_MPI_TWO, FATHOM_MPI_END, FATHOM_MPI_WAIT, FATHOM_MPI_OWN)

}  // namespace fathom::trace::mpi
