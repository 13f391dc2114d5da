/* SPDX-License-Identifier: Apache-2.0 */
#include "messages.h"

#include <mpi.h>
#include <string.h>

#include "table.h"

/* One message of any length from one rank to another is a row of pieces; MPI keeps their order. */
enum { part_tag = 1 };

static int piece_of(uint64_t left) { return (int)(left < FATHOM_MPI_PIECE ? left : FATHOM_MPI_PIECE); }

static int send_all(const char* memory, uint64_t bytes, int to) {
  for (uint64_t at = 0; at < bytes; at += FATHOM_MPI_PIECE) {
    const int code = MPI_Send(memory + at, piece_of(bytes - at), MPI_BYTE, to, part_tag, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

static int receive_all(char* memory, uint64_t bytes, int from) {
  for (uint64_t at = 0; at < bytes; at += FATHOM_MPI_PIECE) {
    const int code = MPI_Recv(memory + at, piece_of(bytes - at), MPI_BYTE, from, part_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int shim_broadcast(void* memory, uint64_t bytes, int root) {
  for (uint64_t at = 0; at < bytes; at += FATHOM_MPI_PIECE) {
    const int code = MPI_Bcast((char*)memory + at, piece_of(bytes - at), MPI_BYTE, root, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int shim_all_lengths(uint64_t mine, uint64_t* lengths) {
  return MPI_Allgather(&mine, 1, MPI_UINT64_T, lengths, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}

int shim_gather(const void* mine, const uint64_t* lengths, void* const* parts) {
  int rank = 0, size = 0;
  int code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (code != MPI_SUCCESS) return code;
  if (rank != 0) return send_all(mine, lengths[rank], 0);
  if (lengths[0] > 0 && parts[0] != mine) memcpy(parts[0], mine, lengths[0]);
  for (int from = 1; from < size && code == MPI_SUCCESS; ++from) code = receive_all(parts[from], lengths[from], from);
  return code;
}

int shim_all_gather(const void* mine, const uint64_t* lengths, void* const* parts) {
  int rank = 0, size = 0;
  int code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (code != MPI_SUCCESS) return code;
  if (lengths[rank] > 0 && parts[rank] != mine) memcpy(parts[rank], mine, lengths[rank]);
  for (int from = 0; from < size && code == MPI_SUCCESS; ++from) code = shim_broadcast(parts[from], lengths[from], from);
  return code;
}

int shim_sum(uint64_t* numbers, uint64_t count) {
  const uint64_t piece = FATHOM_MPI_PIECE / sizeof *numbers;
  for (uint64_t at = 0; at < count; at += piece) {
    const int now = (int)(count - at < piece ? count - at : piece);
    const int code = MPI_Allreduce(MPI_IN_PLACE, numbers + at, now, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int shim_maximum(double* number) { return MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); }
