// SPDX-License-Identifier: Apache-2.0
/// Calls of MPI as they pass through the tracer: what each kind of row in trace_format/mpi_symbols.h does.
#pragma once

#include "tracer/layer.h"
#include "tracer/mpi_files.h"
#include "tracer/mpi_library.h"

namespace fathom::trace::mpi {

inline int forward(Real real, const Arguments& a) { return real ? real(a[0], a[1], a[2], a[3], a[4], a[5]) : error_other; }

/// Places of arguments that are no argument; see trace_format/mpi_symbols.h.
enum Place : int { none = -1, own = -2, shared = -3 };

struct Places {
  int file, offset, count, type, status, request;
  bool large;  // the count has 64 bits
};
int call_on_file(CallId call, const Places& where, Real real, Arguments& a);
int end_of_split(CallId call, int status, Real real, Arguments& a);

struct WaitPlaces {
  int requests, count, statuses, indices;
};
int call_that_waits(CallId call, const WaitPlaces& where, Real real, Arguments& a);

int called_MPI_Init(Real real, Arguments& a);
int called_MPI_Init_thread(Real real, Arguments& a);
int called_MPI_Finalize(Real real, Arguments& a);
int called_MPI_Abort(Real real, Arguments& a);
int called_MPI_File_open(Real real, Arguments& a);
int called_MPI_File_close(Real real, Arguments& a);
int called_MPI_File_delete(Real real, Arguments& a);
int called_MPI_File_set_view(Real real, Arguments& a);
int called_MPI_File_set_info(Real real, Arguments& a);
int called_MPI_File_seek(Real real, Arguments& a);
int called_MPI_Request_free(Real real, Arguments& a);

}  // namespace fathom::trace::mpi
