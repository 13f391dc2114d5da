// SPDX-License-Identifier: Apache-2.0
/// The HDF5 wrappers. The library is asked about sizes after calls that worked only: a question that fails would print its errors.
#include <cerrno>

#include "trace_format/hdf5_symbols.h"
#include "tracer/layer.h"
#include "tracer/mpi_files.h"
#include "tracer/pending.h"
#include "tracer/question.h"
#include "tracer/real.h"
#include "tracer/shapes.h"

namespace fathom::trace {
namespace {

/// Eight slots hold the longest of these calls; what a shorter one has behind its last argument is passed on and never looked at.
using Real = long (*)(long, long, long, long, long, long, long, long);
using Arguments = long[8];

long forward(Real real, const Arguments& a) { return real(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]); }

constinit Question<long, long> space_of_dataset("H5Dget_space", -1);
constinit Question<long, long> space_of_attribute("H5Aget_space", -1);
constinit Question<long, long> points_of("H5Sget_select_npoints", -1);
constinit Question<int, long> close_space("H5Sclose", -1);
constinit Question<long, long> size_of_type("H5Tget_size", -1);
constinit Question<long, long, char*, std::size_t> file_name("H5Fget_name", -1);
constinit Question<int, unsigned*, unsigned*, unsigned*> version("H5get_libversion", -1);

/// Handles have 64 bits since 1.10, and 32 before.
std::uint64_t key_of(long handle) {
  static int wide = -1;
  if (wide < 0) {
    unsigned major = 0, minor = 0, release = 0;
    version(&major, &minor, &release);
    wide = major > 1 || minor >= 10;
  }
  return wide ? static_cast<std::uint64_t>(handle) : static_cast<std::uint32_t>(handle);
}

struct Opened {
  std::uint32_t object;
  bool ignored;
};
constinit Pending<Opened, 16384> handles;

bool failed(long result) { return static_cast<int>(result) < 0; }

/// The file that a handle belongs to; a handle that was not seen before is asked for its file's name.
Opened file_of(long handle, bool may_ask) {
  if (const Opened* const known = handles.find(key_of(handle))) return *known;
  char path[4096];
  if (!may_ask) return {0, false};
  const long length = file_name(handle, path, sizeof path);
  if (length <= 0 || length >= static_cast<long>(sizeof path)) return {0, false};
  return {path_object(AT_FDCWD, path), !path_wanted(AT_FDCWD, path)};
}

std::uint64_t times(long points, long type) {
  const long size = size_of_type(type);
  return points < 0 || size < 0 ? no_bytes : static_cast<std::uint64_t>(points) * static_cast<std::uint64_t>(size);
}

std::uint64_t in_space(long space, long type) {
  if (failed(space)) return no_bytes;
  const std::uint64_t bytes = times(points_of(space), type);
  close_space(space);
  return bytes;
}

/// Elements selected in memory, else in the file, else all there are (H5S_ALL and its like are small numbers), as large as in memory.
std::uint64_t selected(long dataset, long type, long memory, long file) {
  if (memory > 2) return times(points_of(memory), type);
  if (file > 2) return times(points_of(file), type);
  return in_space(space_of_dataset(dataset), type);
}
std::uint64_t selected(const Arguments& a) { return selected(a[0], a[1], a[2], a[3]); }
std::uint64_t attribute(const Arguments& a) { return in_space(space_of_attribute(a[0]), a[1]); }
std::uint64_t chunk(const Arguments& a) { return static_cast<std::uint64_t>(a[4]); }

struct Made {
  Span time;
  long result;
  int kept;
  std::int64_t outcome() const { return failed(result) ? -1 : 0; }
};

Made make(Real real, const Arguments& a) {
  Made made;
  made.time.start = ticks();
  made.result = forward(real, a);
  made.time.end = ticks();
  made.kept = errno;
  return made;
}

long finish(const Made& made) {
  errno = made.kept;
  return made.result;
}

int file_flags(unsigned flags, bool creates) {
  enum { writes = 1, truncates = 2, exclusive = 4 };
  if (!creates) return (flags & writes) ? O_RDWR : O_RDONLY;
  return O_RDWR | O_CREAT | ((flags & truncates) ? O_TRUNC : 0) | ((flags & exclusive) ? O_EXCL : 0);
}

long opens(CallId call, bool creates, Real real, const Arguments& a) {
  if (!real) return -1;
  const auto* const given = reinterpret_cast<const char*>(a[0]);
  if (inside(Interface::hdf5) || !given) return forward(real, a);
  const char* const path = mpi::without_driver(given);
  const int flags = file_flags(static_cast<unsigned>(a[1]), creates);
  const bool wanted = path_wanted(AT_FDCWD, path);
  const std::int64_t not_before = coarse_now();
  Made made;
  bool created = false;
  Opened file{0, !wanted};
  {
    const Inside library(Interface::hdf5);
    made = make(real, a);
  }
  if (!failed(made.result)) {
    if (wanted) file.object = opened_by_library(path, flags, not_before, created);
    handles.add(key_of(made.result), file);
  } else if (wanted) {
    file.object = path_object(AT_FDCWD, path);
  }
  if (wanted) put(call, made.time, file.object, no_offset, no_bytes, made.outcome(), open_detail(flags, created));
  return finish(made);
}

/// Datasets, attributes and groups are parts of their file, and stand for it in the trace.
long opens_part(CallId call, Real real, const Arguments& a) {
  if (!real) return -1;
  if (inside(Interface::hdf5)) return forward(real, a);
  Made made;
  Opened file;
  {
    const Inside library(Interface::hdf5);
    made = make(real, a);
    file = file_of(a[0], !failed(made.result));
  }
  if (!failed(made.result)) handles.add(key_of(made.result), file);
  if (!file.ignored) put(call, made.time, file.object, no_offset, no_bytes, made.outcome());
  return finish(made);
}

long shuts(CallId call, Real real, const Arguments& a) {
  if (!real) return -1;
  if (inside(Interface::hdf5)) return forward(real, a);
  Made made;
  Opened file{0, false};
  handles.take(key_of(a[0]), file);
  {
    const Inside library(Interface::hdf5);
    made = make(real, a);
  }
  if (!file.ignored) put(call, made.time, file.object, no_offset, no_bytes, made.outcome());
  return finish(made);
}

long moves(CallId call, std::uint64_t (*bytes_of)(const Arguments&), Real real, const Arguments& a) {
  if (!real) return -1;
  if (inside(Interface::hdf5)) return forward(real, a);
  Made made;
  Opened file;
  std::uint64_t bytes = no_bytes;
  {
    const Inside library(Interface::hdf5);
    made = make(real, a);
    file = file_of(a[0], !failed(made.result));
    if (!failed(made.result) && bytes_of && !file.ignored) bytes = bytes_of(a);
  }
  if (!file.ignored)
    put(call, made.time, file.object, no_offset, bytes,
        failed(made.result) || bytes == no_bytes ? made.outcome() : static_cast<std::int64_t>(bytes));
  return finish(made);
}

/// All datasets of one such call are in one file.
long moves_many(CallId call, Real real, const Arguments& a) {
  if (!real) return -1;
  const long count = a[0];
  if (inside(Interface::hdf5) || count <= 0) return forward(real, a);
  const auto list = [&](int which) { return reinterpret_cast<const long*>(a[which]); };
  Made made;
  Opened file{0, false};
  std::uint64_t bytes = 0;
  {
    const Inside library(Interface::hdf5);
    made = make(real, a);
    file = file_of(list(1)[0], !failed(made.result));
    for (long i = 0; i < count && !failed(made.result); ++i) {
      const std::uint64_t one = selected(list(1)[i], list(2)[i], list(3)[i], list(4)[i]);
      bytes += one == no_bytes ? 0 : one;
    }
  }
  if (!file.ignored) put(call, made.time, file.object, no_offset, bytes, failed(made.result) ? -1 : static_cast<std::int64_t>(bytes));
  return finish(made);
}

}  // namespace

#define FATHOM_HDF5_WRAPPER(name, call)                                                                  \
  FATHOM_WRAPPER(name, long, (long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7)) { \
    const Real real = FATHOM_FIND(name, long, (long, long, long, long, long, long, long, long));         \
    const Arguments a = {a0, a1, a2, a3, a4, a5, a6, a7};                                                \
    return call;                                                                                         \
  }
#define FATHOM_HDF5_OPEN(name, call, creates) FATHOM_HDF5_WRAPPER(name, opens(CallId::call, creates, real, a))
#define FATHOM_HDF5_PART(name, call) FATHOM_HDF5_WRAPPER(name, opens_part(CallId::call, real, a))
#define FATHOM_HDF5_SHUT(name, call) FATHOM_HDF5_WRAPPER(name, shuts(CallId::call, real, a))
#define FATHOM_HDF5_MOVE(name, call, bytes) FATHOM_HDF5_WRAPPER(name, moves(CallId::call, bytes, real, a))
#define FATHOM_HDF5_ELSE(name, call) FATHOM_HDF5_WRAPPER(name, moves(CallId::call, nullptr, real, a))
#define FATHOM_HDF5_MANY(name, call) FATHOM_HDF5_WRAPPER(name, moves_many(CallId::call, real, a))

FATHOM_HDF5_SYMBOLS(FATHOM_HDF5_OPEN, FATHOM_HDF5_PART, FATHOM_HDF5_SHUT, FATHOM_HDF5_MOVE, FATHOM_HDF5_ELSE, FATHOM_HDF5_MANY)

}  // namespace fathom::trace
