// SPDX-License-Identifier: Apache-2.0
/// The PnetCDF wrappers. Bytes are the library's own count of what it has moved, before and after.
#include <cerrno>

#include "trace_format/pnetcdf_symbols.h"
#include "tracer/layer.h"
#include "tracer/mpi_files.h"
#include "tracer/pending.h"
#include "tracer/question.h"
#include "tracer/real.h"
#include "tracer/shapes.h"

namespace fathom::trace {
namespace {

/// Ten slots hold the longest of these calls; what a shorter one has behind its last argument is passed on and never looked at.
using Real = int (*)(long, long, long, long, long, long, long, long, long, long);
using Arguments = long[10];

int forward(Real real, const Arguments& a) { return real(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]); }

constexpr int bad_id = -33;  // NC_EBADID, if there is no library behind the call

struct Opened {
  std::uint32_t object;
  bool ignored;
};
constinit Pending<Opened, 1024> files;
std::uint64_t key_of(long file) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(file)) + 16; }

/// Bytes that an open file has written and read so far.
struct Moved {
  long written = 0;
  long read = 0;
};

constinit Question<int, long, long*> ask_written("ncmpi_inq_put_size", bad_id);
constinit Question<int, long, long*> ask_read("ncmpi_inq_get_size", bad_id);

Moved moved_so_far(long file) {
  Moved moved;
  ask_written(file, &moved.written);
  ask_read(file, &moved.read);
  return moved;
}

bool moves_data(CallId call) { return call == CallId::ncmpi_put || call == CallId::ncmpi_get || call == CallId::ncmpi_wait; }

std::uint64_t difference(CallId call, const Moved& before, const Moved& after) {
  const long written = call == CallId::ncmpi_get ? 0 : after.written - before.written;
  const long read = call == CallId::ncmpi_put ? 0 : after.read - before.read;
  return static_cast<std::uint64_t>(written + read);
}

__attribute__((noinline)) int opens(CallId call, bool creates, Real real, const Arguments& a) {
  const auto* const given = reinterpret_cast<const char*>(a[1]);
  if (!real) return bad_id;
  if (inside(Interface::pnetcdf) || !given) return forward(real, a);
  enum { writes = 1, keeps = 4 };  // NC_WRITE; NC_NOCLOBBER
  const char* const path = mpi::without_driver(given);
  const auto mode = static_cast<int>(a[2]);
  const int flags = creates ? O_RDWR | O_CREAT | ((mode & keeps) ? O_EXCL : O_TRUNC) : (mode & writes) ? O_RDWR : O_RDONLY;
  const bool wanted = path_wanted(AT_FDCWD, path);
  const std::int64_t not_before = coarse_now();
  const std::uint64_t start = ticks();
  int result;
  {
    const Inside library(Interface::pnetcdf);
    result = forward(real, a);
  }
  const Span time{start, ticks()};
  const int kept = errno;
  bool created = false;
  Opened file{0, !wanted}, stale;
  if (result == 0) {
    if (wanted) file.object = opened_by_library(path, flags, not_before, created);
    const std::uint64_t key = key_of(*reinterpret_cast<const int*>(a[4]));
    files.take(key, stale);
    files.add(key, file);
  } else if (wanted) {
    file.object = path_object(AT_FDCWD, path);
  }
  if (wanted) put(call, time, file.object, no_offset, no_bytes, result, open_detail(flags, created));
  errno = kept;
  return result;
}

__attribute__((noinline)) int does(CallId call, bool shuts, Real real, const Arguments& a) {
  if (!real) return bad_id;
  if (inside(Interface::pnetcdf)) return forward(real, a);
  Opened file{0, false};
  const Opened* const known = files.find(key_of(a[0]));
  if (known) file = *known;
  if (shuts) files.take(key_of(a[0]), file);
  if (file.ignored) return forward(real, a);
  const bool counts = known && moves_data(call);
  std::uint64_t bytes = no_bytes;
  Span time;
  int result, kept;
  {
    const Inside library(Interface::pnetcdf);
    const Moved before = counts ? moved_so_far(a[0]) : Moved{};
    time.start = ticks();
    result = forward(real, a);
    time.end = ticks();
    kept = errno;
    if (counts) bytes = difference(call, before, moved_so_far(a[0]));
  }
  // Errors are below zero already.
  put(call, time, file.object, no_offset, bytes, result != 0 || bytes == no_bytes ? result : static_cast<std::int64_t>(bytes));
  errno = kept;
  return result;
}

}  // namespace

#define FATHOM_PNETCDF_WRAPPER(name, call)                                                                                \
  FATHOM_WRAPPER(name, int, (long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9)) { \
    const Real real = FATHOM_FIND(name, int, (long, long, long, long, long, long, long, long, long, long));               \
    const Arguments a = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9};                                                         \
    return call;                                                                                                          \
  }
#define FATHOM_PNETCDF_OPEN(name, call, creates) FATHOM_PNETCDF_WRAPPER(name, opens(CallId::call, creates, real, a))
#define FATHOM_PNETCDF_EACH(name, call) FATHOM_PNETCDF_WRAPPER(name, does(CallId::call, false, real, a))
#define FATHOM_PNETCDF_SHUT(name, call) FATHOM_PNETCDF_WRAPPER(name, does(CallId::call, true, real, a))

FATHOM_PNETCDF_SYMBOLS(FATHOM_PNETCDF_OPEN, FATHOM_PNETCDF_EACH, FATHOM_PNETCDF_SHUT)

}  // namespace fathom::trace
