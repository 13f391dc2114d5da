/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <mpi.h>
#include <stdlib.h>

static int mode_of(int open_flags) {
  const int both = FATHOM_MPI_READ | FATHOM_MPI_WRITE;
  int mode = MPI_MODE_RDONLY;
  if ((open_flags & both) == both) mode = MPI_MODE_RDWR;
  else if (open_flags & FATHOM_MPI_WRITE) mode = MPI_MODE_WRONLY;
  return open_flags & FATHOM_MPI_CREATE ? mode | MPI_MODE_CREATE : mode;
}

int shim_file_open(const char* path, int open_flags, int scope, void** file) {
  /* MPI_File is an int here and a pointer there: the caller gets the address of one. */
  MPI_File* opened = malloc(sizeof *opened);
  if (opened == NULL) return MPI_ERR_NO_MEM;
  const MPI_Comm who = scope == FATHOM_MPI_SELF ? MPI_COMM_SELF : MPI_COMM_WORLD;
  const int code = MPI_File_open(who, path, mode_of(open_flags), MPI_INFO_NULL, opened);
  if (code != MPI_SUCCESS) {
    free(opened);
    return code;
  }
  *file = opened;
  return MPI_SUCCESS;
}

static int transfer_piece(MPI_File file, const struct fathom_mpi_transfer* whole, uint64_t at, int bytes, MPI_Status* status) {
  const MPI_Offset offset = (MPI_Offset)(whole->offset + at);
  char* memory = (char*)whole->memory + at;
  if (whole->writes && whole->collective) return MPI_File_write_at_all(file, offset, memory, bytes, MPI_BYTE, status);
  if (whole->writes) return MPI_File_write_at(file, offset, memory, bytes, MPI_BYTE, status);
  if (whole->collective) return MPI_File_read_at_all(file, offset, memory, bytes, MPI_BYTE, status);
  return MPI_File_read_at(file, offset, memory, bytes, MPI_BYTE, status);
}

int shim_file_transfer(void* file, struct fathom_mpi_transfer* transfer) {
  transfer->done = 0;
  if (transfer->collective && transfer->bytes > FATHOM_MPI_PIECE) return MPI_ERR_COUNT;  /* the others would miss a call */
  do {  /* at least once: a rank with nothing to transfer still takes part in a collective call */
    const uint64_t left = transfer->bytes - transfer->done;
    const int now = (int)(left < FATHOM_MPI_PIECE ? left : FATHOM_MPI_PIECE);
    MPI_Status status;
    int code = transfer_piece(*(MPI_File*)file, transfer, transfer->done, now, &status);
    int done = 0;
    if (code == MPI_SUCCESS && now > 0) code = MPI_Get_count(&status, MPI_BYTE, &done);
    if (code != MPI_SUCCESS) return code;
    if (done > 0) transfer->done += (uint64_t)done;
    if (done < now) break;  /* the end of the file */
  } while (transfer->done < transfer->bytes);
  return MPI_SUCCESS;
}

int shim_file_sync(void* file) { return MPI_File_sync(*(MPI_File*)file); }

int shim_file_close(void* file) {
  const int code = MPI_File_close(file);
  free(file);
  return code;
}
