// SPDX-License-Identifier: Apache-2.0
/// MPI_Wait, MPI_Test and their relatives, where they complete requests on files.
#include <cerrno>

#include "tracer/mpi_calls.h"

namespace fathom::trace::mpi {
namespace {

/// Requests on files among those of one call.
struct Watched {
  static constexpr int most = 512;
  static constexpr int most_statuses = 64;
  int count = 0;
  int index[most];
  std::uint64_t key[most];
  alignas(8) char statuses[most_statuses * 24];  // where the program wants none
};

void find_watched(const WaitPlaces& where, const Arguments& a, Watched& found) {
  const int count = where.count == none ? 1 : static_cast<int>(a[where.count]);
  for (int i = 0; i < count && found.count < Watched::most; ++i) {
    const std::uint64_t key = request_at(a[where.requests], i);
    if (!requests.find(key)) continue;
    found.index[found.count] = i;
    found.key[found.count++] = key;
  }
}

/// Statuses that the call writes.
int status_count(const WaitPlaces& where, const Arguments& a) {
  const bool one = where.count == none || where.indices == 2;
  return one ? 1 : static_cast<int>(a[where.count]);
}

/// The status of a completed request; null if there is none.
const char* status_of(const WaitPlaces& where, const Arguments& a, int index) {
  const auto* const statuses = reinterpret_cast<const char*>(a[where.statuses]);
  if (a[where.statuses] == flavour().ignored_status) return nullptr;
  if (where.indices == none) return statuses + static_cast<std::size_t>(index) * flavour().status_bytes;
  const int* const indices = reinterpret_cast<const int*>(a[where.indices]);
  const int completed = where.indices == 2 ? 1 : *reinterpret_cast<const int*>(a[2]);
  for (int i = 0; i < completed; ++i)
    if (indices[i] == index) return statuses + static_cast<std::size_t>(i) * flavour().status_bytes;
  return nullptr;
}

struct Completed {
  int count = 0;
  std::uint32_t object = 0;
  std::int64_t offset = no_offset;
  std::uint64_t bytes = 0;
  std::int64_t moved = 0;
  bool one_file = true;

  void add(const Request& request, std::int64_t bytes_moved) {
    one_file = one_file && (count == 0 || object == request.object);
    object = request.object;
    offset = count == 0 ? request.offset : no_offset;
    bytes += request.bytes == no_bytes ? 0 : request.bytes;
    moved += bytes_moved;
    ++count;
  }
};

std::int64_t moved_by(const WaitPlaces& where, const Arguments& a, int index, const Request& request) {
  const char* const status = status_of(where, a, index);
  const std::int64_t moved = status ? bytes_of_status(status) : -1;
  const auto asked = static_cast<std::int64_t>(request.bytes == no_bytes ? 0 : request.bytes);
  return moved >= 0 && moved <= asked ? moved : asked;
}

/// Takes those that completed out of the table: their places in the program's memory say something else now.
Completed take_completed(CallId call, const WaitPlaces& where, const Arguments& a, const Watched& watched, Span time) {
  Completed all;
  for (int i = 0; i < watched.count; ++i) {
    Request request;
    if (request_at(a[where.requests], watched.index[i]) == watched.key[i] || !requests.take(watched.key[i], request)) continue;
    const std::int64_t moved = moved_by(where, a, watched.index[i], request);
    all.add(request, moved);
    // Of several requests each is told, as a call inside the one that completed them.
    if (watched.count > 1) put(call, {time.end, time.end}, request.object, request.offset, request.bytes, moved);
  }
  return all;
}

}  // namespace

int call_that_waits(CallId call, const WaitPlaces& where, Real real, Arguments& a) {
  if (!real) return error_other;
  Watched watched;
  if (requests.any() && !inside(Interface::mpiio)) find_watched(where, a, watched);
  if (watched.count == 0) return forward(real, a);
  const Record* const before = self.next;
  Span time;
  int kept, error;
  std::int64_t result = 0;
  Completed completed;
  {
    const Inside library(Interface::mpiio);
    const int statuses = status_count(where, a);
    if (a[where.statuses] == flavour().ignored_status && statuses <= Watched::most_statuses) {
      __builtin_memset(watched.statuses, 0, sizeof watched.statuses);
      a[where.statuses] = reinterpret_cast<long>(watched.statuses);
    }
    time.start = ticks();
    error = forward(real, a);
    time.end = ticks();
    kept = errno;
    if (error != 0) result = -error_class(error);
    completed = take_completed(call, where, a, watched, time);
  }
  // A test that found nothing is nothing to tell, unless the library did something on that occasion.
  if (completed.count > 0 || error != 0 || self.next != before)
    put(call, time, completed.one_file ? completed.object : 0, completed.offset, completed.bytes, error != 0 ? result : completed.moved);
  errno = kept;
  return error;
}

int called_MPI_Request_free(Real real, Arguments& a) {
  if (!real) return error_other;
  Request gone;
  if (requests.any() && !inside(Interface::mpiio)) requests.take(request_at(a[0], 0), gone);
  return forward(real, a);
}

}  // namespace fathom::trace::mpi
