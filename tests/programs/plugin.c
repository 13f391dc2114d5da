// SPDX-License-Identifier: Apache-2.0
// The module of plugin_host.c.
#include <mpi.h>
#include <stdio.h>

int work(const char* path) {
  char data[1000] = {0};
  int rank;
  MPI_File file;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, rank * 1000, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  printf("rank %d wrote\n", rank);
  return 0;
}
