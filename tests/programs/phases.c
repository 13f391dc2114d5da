/* SPDX-License-Identifier: Apache-2.0 */
/* Rank after rank, each in its turn between two barriers, writes one byte to a shared file: byte number `turn`. Then each rank makes
 * CALLS small writes spread over FILES files of its own. usage: phases FOLDER TURNS FILES CALLS */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, ranks;
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long turns = atol(argv[2]), files = atol(argv[3]), calls = atol(argv[4]);
  snprintf(path, sizeof path, "%s/turns", argv[1]);
  const int shared = open(path, O_CREAT | O_RDWR, 0600);
  for (long turn = 0; turn < turns; ++turn) {
    if (rank == turn % ranks && pwrite(shared, "x", 1, turn) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  close(shared);
  for (long file = 0; file < files; ++file) {
    snprintf(path, sizeof path, "%s/own.%d.%ld", argv[1], rank, file);
    const int own = open(path, O_CREAT | O_RDWR, 0600);
    for (long i = 0; i < calls / files; ++i)
      if (pwrite(own, "0123456789abcdef", 16, 16 * i) != 16) MPI_Abort(MPI_COMM_WORLD, 1);
    close(own);
    unlink(path);
  }
  MPI_Finalize();
  return 0;
}
