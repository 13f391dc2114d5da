// SPDX-License-Identifier: Apache-2.0
// A variable written together, read alone, and written later with a wait. usage: pnetcdf_io FILE
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { each = 2048 };  // ints of one rank

static void must(int error) {
  if (error == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(error));
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  int rank, ranks, file, dimension, variable, request, status;
  static int numbers[each];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < each; ++i) numbers[i] = i + rank;
  const MPI_Offset from = (MPI_Offset)each * rank, count = each;

  must(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER, MPI_INFO_NULL, &file));
  must(ncmpi_def_dim(file, "x", (MPI_Offset)each * ranks, &dimension));
  must(ncmpi_def_var(file, "numbers", NC_INT, 1, &dimension, &variable));
  must(ncmpi_enddef(file));
  must(ncmpi_put_vara_int_all(file, variable, &from, &count, numbers));
  must(ncmpi_begin_indep_data(file));
  must(ncmpi_get_vara_int(file, variable, &from, &count, numbers));
  must(ncmpi_end_indep_data(file));
  must(ncmpi_iput_vara_int(file, variable, &from, &count, numbers, &request));
  must(ncmpi_wait_all(file, 1, &request, &status));
  must(ncmpi_sync(file));
  must(ncmpi_close(file));
  must(ncmpi_open(MPI_COMM_WORLD, argv[1], NC_NOWRITE, MPI_INFO_NULL, &file));
  must(ncmpi_get_vara_all(file, variable, &from, &count, numbers, each, MPI_INT));
  must(ncmpi_close(file));
  printf("rank %d: %d\n", rank, numbers[each - 1]);
  MPI_Finalize();
  return 0;
}
