/* SPDX-License-Identifier: Apache-2.0 */
/* An application that writes BYTES in all, each rank its part to a file of its own in blocks of BLOCK bytes that go to the disk at once (O_DIRECT):
 * IMB-IO's P_Write_Priv, of which LWM2's experiments consist. With `mpiio` the blocks are MPI_File_write and MPI_File_sync.
 * usage: competing PREFIX BYTES BLOCK [mpiio] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const long long bytes = atoll(argv[2]) / ranks, block = atoll(argv[3]);
  const int through_mpi = argc > 4 && strcmp(argv[4], "mpiio") == 0;
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  void* data = NULL;
  if (posix_memalign(&data, 4096, (size_t)block) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(data, rank, (size_t)block);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (through_mpi) {
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);
    for (long long done = 0; done < bytes; done += block) {
      MPI_File_write(file, data, (int)block, MPI_BYTE, MPI_STATUS_IGNORE);
      MPI_File_sync(file);
    }
    MPI_File_close(&file);
  } else {
    const int file = open(path, O_CREAT | O_WRONLY | O_DIRECT, 0600);
    for (long long done = 0; done < bytes; done += block)
      if (file < 0 || write(file, data, (size_t)block) != block) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
    close(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d %.3f\n", ranks, MPI_Wtime() - start);
  free(data);
  MPI_Finalize();
  return 0;
}
