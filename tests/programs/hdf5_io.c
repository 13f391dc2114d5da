// SPDX-License-Identifier: Apache-2.0
// A dataset written and read by all ranks together, then by each alone; a group and an attribute. usage: hdf5_io FILE
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { each = 4096 };  // doubles of one rank

static void transfer(hid_t data, hid_t memory, hid_t file, H5FD_mpio_xfer_t how, double* numbers) {
  const hid_t options = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(options, how);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, file, options, numbers);
  H5Dread(data, H5T_NATIVE_DOUBLE, memory, file, options, numbers);
  H5Pclose(options);
}

int main(int argc, char** argv) {
  int rank, ranks;
  static double numbers[each];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < each; ++i) numbers[i] = i + rank;

  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  const hsize_t all = (hsize_t)each * (hsize_t)ranks, mine = each, from = (hsize_t)each * (hsize_t)rank, one = 1;
  const hid_t group = H5Gcreate2(file, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &mine, NULL);
  const hid_t data = H5Dcreate2(group, "numbers", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &mine, NULL);
  transfer(data, memory, space, H5FD_MPIO_COLLECTIVE, numbers);
  transfer(data, memory, space, H5FD_MPIO_INDEPENDENT, numbers);

  const hid_t scalar = H5Screate_simple(1, &one, NULL);
  const hid_t attribute = H5Acreate2(data, "step", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  int step = 7;
  H5Awrite(attribute, H5T_NATIVE_INT, &step);
  H5Aclose(attribute);
  H5Sclose(scalar);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Dclose(data);
  H5Sclose(space);
  H5Sclose(memory);
  H5Gclose(group);
  H5Fclose(file);
  printf("rank %d: %g\n", rank, numbers[each - 1]);
  MPI_Finalize();
  return 0;
}
