// SPDX-License-Identifier: Apache-2.0
/// Calls of MPI that change what the tracer knows: beginning and end, opening and closing, views and hints.
#include <cerrno>

#include "tracer/mpi_calls.h"
#include "tracer/settings.h"
#include "tracer/shapes.h"

namespace fathom::trace::mpi {
namespace {

/// A call, when it was, what it came to: -(class of the error) if it failed.
struct Made {
  Span time;
  int error;
  int kept;
  std::int64_t result;
};

Made make(Real real, const Arguments& a) {
  Made made;
  made.time.start = ticks();
  made.error = forward(real, a);
  made.time.end = ticks();
  made.kept = errno;
  made.result = made.error == 0 ? 0 : -error_class(made.error);
  return made;
}

int finish(const Made& made) {
  errno = made.kept;
  return made.error;
}

OpenFile* file_at(long handle) { return open_files.find(static_cast<std::uint64_t>(handle)); }

bool left_alone(Real real, const OpenFile* file) { return !real || inside(Interface::mpiio) || (file && file->ignored); }

/// Every rank takes its zero after the same barrier (RIOT). It is passed whether or not this process can be traced: the others wait.
int begun(Real real, Arguments& a) {
  if (!real || inside(Interface::mpiio)) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    const Uncounted own_affairs;
    made = make(real, a);
    if (made.error == 0) {
      int rank, ranks;
      who(rank, ranks);
      const char* const words = version();
      // The first one waits for the slowest; after the second, all go on within a few microseconds of each other.
      if (settings.barriers) {
        barrier();
        barrier();
      }
      made.time.end = ticks();
      if (ready()) {
        if (settings.barriers) process->zero_ticks = made.time.end;
        describe(rank, ranks, words);
      }
    }
  }
  put(CallId::MPI_Init, made.time, 0, no_offset, no_bytes, made.result);
  return finish(made);
}

/// A view as the file has it when it is opened: bytes from the first on.
OpenFile fresh_file(std::uint32_t object, int mode, bool ignored) {
  OpenFile file{};
  file.object = object;
  file.ignored = ignored;
  file.sequential = (mode & 256) != 0;
  file.dense = true;
  file.element = 1;
  file.split_offset = no_offset;
  file.split_bytes = no_bytes;
  return file;
}

}  // namespace

int called_MPI_Init(Real real, Arguments& a) { return begun(real, a); }
int called_MPI_Init_thread(Real real, Arguments& a) { return begun(real, a); }

int called_MPI_Finalize(Real real, Arguments& a) {
  if (!real || inside(Interface::mpiio)) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    const Uncounted own_affairs;
    const std::uint64_t start = ticks();
    if (settings.barriers) barrier();
    const std::uint64_t last = ticks();
    if (settings.barriers && ready()) {
      process->last_ticks = last;
      process->text_changes.fetch_add(1);
    }
    made = make(real, a);
    made.time.start = start;
  }
  put(CallId::MPI_Finalize, made.time, 0, no_offset, no_bytes, made.result);
  // A launcher may end what is left of the process from now on.
  drain_everything(false);
  return finish(made);
}

int called_MPI_Abort(Real real, Arguments& a) {
  drain_everything(false);
  return forward(real, a);
}

int called_MPI_File_open(Real real, Arguments& a) {
  const auto* const given = reinterpret_cast<const char*>(a[1]);
  if (left_alone(real, nullptr) || !given) return forward(real, a);
  const char* const path = without_driver(given);
  const int mode = static_cast<int>(a[2]), flags = open_flags(mode);
  const bool wanted = path_wanted(AT_FDCWD, path);
  const std::int64_t not_before = coarse_now();
  Made made;
  std::uint32_t object = 0;
  bool created = false;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
    if (made.error == 0) {
      const long handle = *reinterpret_cast<const long*>(a[4]);
      if (wanted) object = opened_by_library(path, flags, not_before, created);
      OpenFile stale;
      while (open_files.take(static_cast<std::uint64_t>(handle), stale)) {
      }
      open_files.add(static_cast<std::uint64_t>(handle), fresh_file(object, mode, !wanted));
      if (object != 0) define_hints(handle, object);
    }
  }
  if (object == 0 && wanted) object = path_object(AT_FDCWD, path);
  if (wanted) put(CallId::MPI_File_open, made.time, object, no_offset, no_bytes, made.result, open_detail(flags, created));
  return finish(made);
}

int called_MPI_File_close(Real real, Arguments& a) {
  const long handle = *reinterpret_cast<const long*>(a[0]);
  if (left_alone(real, nullptr)) return forward(real, a);
  // Before the call: the handle may be another thread's file at once afterwards.
  OpenFile file{};
  const bool known = open_files.take(static_cast<std::uint64_t>(handle), file);
  if (known && file.ignored) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
  }
  if (known && made.error != 0) open_files.add(static_cast<std::uint64_t>(handle), file);
  put(CallId::MPI_File_close, made.time, file.object, no_offset, no_bytes, made.result);
  return finish(made);
}

int called_MPI_File_delete(Real real, Arguments& a) {
  const auto* const given = reinterpret_cast<const char*>(a[0]);
  if (left_alone(real, nullptr) || !given) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
  }
  on_path(CallId::MPI_File_delete, made.time, AT_FDCWD, without_driver(given), no_offset, made.result);
  return finish(made);
}

int called_MPI_File_set_view(Real real, Arguments& a) {
  OpenFile* const file = file_at(a[0]);
  if (left_alone(real, file)) return forward(real, a);
  Made made;
  std::uint64_t bytes = no_bytes;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
    if (made.error == 0) {
      const std::int64_t size = type_size(a[3]);
      if (size >= 0) bytes = static_cast<std::uint64_t>(size);
      if (file) {
        file->displacement = a[1];
        file->element = type_size(a[2]);
        file->blank = size <= 0 || file->element <= 0;
        file->dense = !file->blank && type_is_dense(a[3]);
      }
    }
  }
  put(CallId::MPI_File_set_view, made.time, file ? file->object : 0, a[1], bytes, made.result);
  return finish(made);
}

int called_MPI_File_set_info(Real real, Arguments& a) {
  const OpenFile* const file = file_at(a[0]);
  if (left_alone(real, file)) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
    if (made.error == 0 && file && file->object != 0) define_hints(a[0], file->object);
  }
  put(CallId::MPI_File_set_info, made.time, file ? file->object : 0, no_offset, no_bytes, made.result);
  return finish(made);
}

int called_MPI_File_seek(Real real, Arguments& a) {
  const OpenFile* const file = file_at(a[0]);
  if (left_alone(real, file)) return forward(real, a);
  Made made;
  {
    const Inside library(Interface::mpiio);
    made = make(real, a);
    // Where it is now, in bytes.
    if (made.error == 0 && file && !file->sequential) {
      const std::int64_t at = file->byte(a[0], position(a[0]));
      if (at >= 0) made.result = at;
    }
  }
  put(CallId::MPI_File_seek, made.time, file ? file->object : 0, a[1], no_bytes, made.result);
  return finish(made);
}

}  // namespace fathom::trace::mpi
