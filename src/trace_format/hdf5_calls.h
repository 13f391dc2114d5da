// SPDX-License-Identifier: Apache-2.0
/// The HDF5 calls that are traced, if the program has them.
#pragma once

// A table, a line each:
// clang-format off
/// CALL(name, operation, what people should know)
#define FATHOM_HDF5_CALLS(CALL) \
  CALL(H5Fcreate, open, "a call that failed has result -1: HDF5 has no numbers for errors") \
  CALL(H5Fopen, open, "") \
  CALL(H5Fclose, close, "") \
  CALL(H5Fflush, sync, "") \
  CALL(H5Dcreate, open, "H5Dcreate1, H5Dcreate2: a dataset, not a file") \
  CALL(H5Dopen, open, "H5Dopen1, H5Dopen2") \
  CALL(H5Dclose, close, "") \
  CALL(H5Dread, read, "bytes: elements selected x size of one in memory") \
  CALL(H5Dwrite, write, "") \
  CALL(H5Dset_extent, resize, "") \
  CALL(H5Acreate, open, "") \
  CALL(H5Aopen, open, "") \
  CALL(H5Aread, read, "") \
  CALL(H5Awrite, write, "") \
  CALL(H5Aclose, close, "") \
  CALL(H5Gcreate, open, "") \
  CALL(H5Gopen, open, "") \
  CALL(H5Gclose, close, "")
// clang-format on
