// SPDX-License-Identifier: Apache-2.0
/// Symbols of HDF5 that lead to traced calls. As with MPI, no header of it is needed: every argument is an integer or a pointer.
#pragma once

// A table, a line each:
// clang-format off
/// OPEN(symbol, call, creates): opens the file that its first argument names, with the flags in the second.
/// PART(symbol, call): opens something in the file of its first argument. SHUT(symbol, call): closes its first argument.
/// MOVE(symbol, call, bytes): moves data of its first argument; `bytes` is the function of tracer/hdf5.cpp that counts them.
/// ELSE(symbol, call): does something else with the file of its first argument.
/// MANY(symbol, call): moves data of several datasets: their number, then lists.
#define FATHOM_HDF5_SYMBOLS(OPEN, PART, SHUT, MOVE, ELSE, MANY) \
  OPEN(H5Fcreate, H5Fcreate, true) OPEN(H5Fopen, H5Fopen, false) SHUT(H5Fclose, H5Fclose) ELSE(H5Fflush, H5Fflush) \
  PART(H5Dcreate1, H5Dcreate) PART(H5Dcreate2, H5Dcreate) PART(H5Dcreate_anon, H5Dcreate) PART(H5Dopen1, H5Dopen) PART(H5Dopen2, H5Dopen) \
  SHUT(H5Dclose, H5Dclose) ELSE(H5Dset_extent, H5Dset_extent) \
  MOVE(H5Dread, H5Dread, selected) MOVE(H5Dwrite, H5Dwrite, selected) MOVE(H5Dwrite_chunk, H5Dwrite, chunk) \
  MANY(H5Dread_multi, H5Dread) MANY(H5Dwrite_multi, H5Dwrite) \
  PART(H5Acreate1, H5Acreate) PART(H5Acreate2, H5Acreate) PART(H5Acreate_by_name, H5Acreate) \
  PART(H5Aopen, H5Aopen) PART(H5Aopen_name, H5Aopen) PART(H5Aopen_idx, H5Aopen) PART(H5Aopen_by_name, H5Aopen) PART(H5Aopen_by_idx, H5Aopen) \
  MOVE(H5Aread, H5Aread, attribute) MOVE(H5Awrite, H5Awrite, attribute) SHUT(H5Aclose, H5Aclose) \
  PART(H5Gcreate1, H5Gcreate) PART(H5Gcreate2, H5Gcreate) PART(H5Gcreate_anon, H5Gcreate) PART(H5Gopen1, H5Gopen) PART(H5Gopen2, H5Gopen) \
  SHUT(H5Gclose, H5Gclose)
// clang-format on
