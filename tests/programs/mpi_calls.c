// SPDX-License-Identifier: Apache-2.0
// Every kind of MPI-IO call once, with numbers that trace_mpi.py knows. Prints what it read, so that two runs can be compared.
// usage: mpi_calls FILE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 1024 };

static void must(int error) {
  if (error != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);
}

// The large-count names are of MPI 4: not every library has them.
#if MPI_VERSION >= 4
static void large_counts(MPI_File f, MPI_Offset at, char* data) {
  MPI_Count count = block;
  MPI_Status status;
  must(MPI_File_write_at_c(f, at, data, count, MPI_BYTE, MPI_STATUS_IGNORE));
  must(MPI_File_read_at_all_c(f, at, data, count, MPI_BYTE, &status));
}
#else
static void large_counts(MPI_File f, MPI_Offset at, char* data) {
  must(MPI_File_write_at(f, at, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
  must(MPI_File_read_at_all(f, at, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
}
#endif

int main(int argc, char** argv) {
  int rank, ranks, provided, got, flag = 0;
  MPI_File f;
  MPI_Info info;
  MPI_Status status;
  MPI_Request requests[2];
  must(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* data = malloc(4 * block);
  memset(data, 'a' + rank, 4 * block);
  const MPI_Offset mine = (MPI_Offset)rank * 65536;

  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "1048576");
  must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f));
  must(MPI_File_set_size(f, 0));
  must(MPI_File_preallocate(f, 4096));

  // explicit offsets
  must(MPI_File_write_at(f, mine, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
  must(MPI_File_write_at_all(f, mine + block, data, block / 4, MPI_INT, &status));
  must(MPI_File_read_at(f, mine, data, block, MPI_BYTE, &status));
  must(MPI_File_read_at_all(f, mine, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
  large_counts(f, mine, data);

  // the file pointer of the process
  must(MPI_File_seek(f, mine + 2048, MPI_SEEK_SET));
  must(MPI_File_write(f, data, block, MPI_BYTE, &status));
  must(MPI_File_write_all(f, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
  must(MPI_File_seek(f, mine + 2048, MPI_SEEK_SET));
  must(MPI_File_read(f, data, block, MPI_BYTE, &status));
  must(MPI_File_read_all(f, data, block, MPI_BYTE, &status));

  // non-blocking: one waited for, two together, one tested until it is there
  must(MPI_File_iwrite_at(f, mine + 8192, data, block, MPI_BYTE, &requests[0]));
  must(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  must(MPI_File_iwrite_at(f, mine + 8192, data, block, MPI_BYTE, &requests[0]));
  must(MPI_File_iread_at(f, mine, data + block, block, MPI_BYTE, &requests[1]));
  must(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  must(MPI_File_iread_at(f, mine + 8192, data, block, MPI_BYTE, &requests[0]));
  while (!flag) must(MPI_Test(&requests[0], &flag, &status));
  must(MPI_File_iwrite_at_all(f, mine + 12288, data, block, MPI_BYTE, &requests[0]));
  must(MPI_Wait(&requests[0], &status));

  // split collective
  must(MPI_File_write_at_all_begin(f, mine + 16384, data, block, MPI_BYTE));
  must(MPI_File_write_at_all_end(f, data, MPI_STATUS_IGNORE));
  must(MPI_File_read_at_all_begin(f, mine + 16384, data, block, MPI_BYTE));
  must(MPI_File_read_at_all_end(f, data, &status));

  // a view: every second block of 1 KiB from 4 KiB on, in elements of 4 bytes; element 384 is byte 4096 + 2048 + 512
  MPI_Datatype every_second;
  MPI_Type_vector(4, block / 4, block / 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  must(MPI_File_set_view(f, 4096, MPI_INT, every_second, "native", MPI_INFO_NULL));
  must(MPI_File_read_at(f, 384, data, 128, MPI_INT, &status));
  must(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  MPI_Type_free(&every_second);

  // beyond the end
  must(MPI_File_sync(f));
  must(MPI_File_read_at(f, (MPI_Offset)1 << 30, data, block, MPI_BYTE, &status));
  MPI_Get_count(&status, MPI_BYTE, &got);
  printf("rank %d of %d: %d bytes beyond the end, first byte %c\n", rank, ranks, got, data[0]);
  must(MPI_File_close(&f));

  // shared pointer, in a file of its own
  char name[4096];
  snprintf(name, sizeof name, "%s.shared", argv[1]);
  must(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
  must(MPI_File_write_shared(f, data, block, MPI_BYTE, MPI_STATUS_IGNORE));
  must(MPI_File_write_ordered(f, data, block, MPI_BYTE, &status));
  must(MPI_File_close(&f));

  // failing: the error is the program's own business
  int error = MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &f), kind = 0;
  MPI_Error_class(error, &kind);
  printf("rank %d: opening nothing is %s\n", rank, kind == MPI_ERR_NO_SUCH_FILE ? "no such file" : "another error");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) must(MPI_File_delete(argv[1], MPI_INFO_NULL));
  MPI_Info_free(&info);
  free(data);
  MPI_Finalize();
  return 0;
}
