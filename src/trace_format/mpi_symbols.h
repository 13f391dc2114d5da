// SPDX-License-Identifier: Apache-2.0
/// Symbols of an MPI library that lead to traced calls, and which argument is what. No header of MPI is needed: on x86-64 every argument
/// of these calls travels in an integer register, whatever its type is in MPICH or Open MPI, and none has more than six.
/// Each stands for the name with P in front too: through it the libraries of other languages call.
#pragma once

// A table, a line each:
// clang-format off
/// Numbers of arguments from 0; `none` if there is no such argument. As an offset, `own` is the file pointer of the process and `shared`
/// the one of all: nobody is asked where that is, because others move it meanwhile and asking means reading a file.
///
/// ONE(symbol, file, offset, count, type, status, request)
/// TWO is the same for calls that have a second name with _c, where counts have 64 bits.
/// END(symbol, status) completes a split collective call.
/// WAIT(symbol, call, requests, how many, statuses, indices): `how many` none is one request; with `indices` the statuses stand in their order.
/// OWN(symbol) has a wrapper written by hand in tracer/.
#define FATHOM_MPI_SYMBOLS(ONE, TWO, END, WAIT, OWN) \
  OWN(MPI_Init) OWN(MPI_Init_thread) OWN(MPI_Finalize) OWN(MPI_Abort) \
  OWN(MPI_File_open) OWN(MPI_File_close) OWN(MPI_File_delete) OWN(MPI_File_set_view) OWN(MPI_File_set_info) OWN(MPI_File_seek) \
  ONE(MPI_File_set_size, 0, 1, none, none, none, none) \
  ONE(MPI_File_preallocate, 0, 1, none, none, none, none) \
  ONE(MPI_File_get_size, 0, none, none, none, none, none) \
  ONE(MPI_File_get_view, 0, none, none, none, none, none) \
  ONE(MPI_File_get_info, 0, none, none, none, none, none) \
  ONE(MPI_File_get_group, 0, none, none, none, none, none) \
  ONE(MPI_File_get_amode, 0, none, none, none, none, none) \
  TWO(MPI_File_read_at, 0, 1, 3, 4, 5, none) \
  TWO(MPI_File_read_at_all, 0, 1, 3, 4, 5, none) \
  TWO(MPI_File_read, 0, own, 2, 3, 4, none) \
  TWO(MPI_File_read_all, 0, own, 2, 3, 4, none) \
  TWO(MPI_File_read_shared, 0, shared, 2, 3, 4, none) \
  TWO(MPI_File_read_ordered, 0, shared, 2, 3, 4, none) \
  TWO(MPI_File_iread_at, 0, 1, 3, 4, none, 5) \
  TWO(MPI_File_iread_at_all, 0, 1, 3, 4, none, 5) \
  TWO(MPI_File_iread, 0, own, 2, 3, none, 4) \
  TWO(MPI_File_iread_all, 0, own, 2, 3, none, 4) \
  TWO(MPI_File_iread_shared, 0, shared, 2, 3, none, 4) \
  TWO(MPI_File_read_at_all_begin, 0, 1, 3, 4, none, none) \
  TWO(MPI_File_read_all_begin, 0, own, 2, 3, none, none) \
  TWO(MPI_File_read_ordered_begin, 0, shared, 2, 3, none, none) \
  END(MPI_File_read_at_all_end, 2) END(MPI_File_read_all_end, 2) END(MPI_File_read_ordered_end, 2) \
  TWO(MPI_File_write_at, 0, 1, 3, 4, 5, none) \
  TWO(MPI_File_write_at_all, 0, 1, 3, 4, 5, none) \
  TWO(MPI_File_write, 0, own, 2, 3, 4, none) \
  TWO(MPI_File_write_all, 0, own, 2, 3, 4, none) \
  TWO(MPI_File_write_shared, 0, shared, 2, 3, 4, none) \
  TWO(MPI_File_write_ordered, 0, shared, 2, 3, 4, none) \
  TWO(MPI_File_iwrite_at, 0, 1, 3, 4, none, 5) \
  TWO(MPI_File_iwrite_at_all, 0, 1, 3, 4, none, 5) \
  TWO(MPI_File_iwrite, 0, own, 2, 3, none, 4) \
  TWO(MPI_File_iwrite_all, 0, own, 2, 3, none, 4) \
  TWO(MPI_File_iwrite_shared, 0, shared, 2, 3, none, 4) \
  TWO(MPI_File_write_at_all_begin, 0, 1, 3, 4, none, none) \
  TWO(MPI_File_write_all_begin, 0, own, 2, 3, none, none) \
  TWO(MPI_File_write_ordered_begin, 0, shared, 2, 3, none, none) \
  END(MPI_File_write_at_all_end, 2) END(MPI_File_write_all_end, 2) END(MPI_File_write_ordered_end, 2) \
  ONE(MPI_File_get_position, 0, none, none, none, none, none) \
  ONE(MPI_File_get_byte_offset, 0, none, none, none, none, none) \
  ONE(MPI_File_seek_shared, 0, none, none, none, none, none) \
  ONE(MPI_File_get_position_shared, 0, none, none, none, none, none) \
  ONE(MPI_File_set_atomicity, 0, none, none, none, none, none) \
  ONE(MPI_File_get_atomicity, 0, none, none, none, none, none) \
  TWO(MPI_File_get_type_extent, 0, none, none, none, none, none) \
  ONE(MPI_File_sync, 0, none, none, none, none, none) \
  WAIT(MPI_Wait, MPI_Wait, 0, none, 1, none) \
  WAIT(MPI_Waitall, MPI_Wait, 1, 0, 2, none) \
  WAIT(MPI_Waitany, MPI_Wait, 1, 0, 3, 2) \
  WAIT(MPI_Waitsome, MPI_Wait, 1, 0, 4, 3) \
  WAIT(MPI_Test, MPI_Test, 0, none, 2, none) \
  WAIT(MPI_Testall, MPI_Test, 1, 0, 3, none) \
  WAIT(MPI_Testany, MPI_Test, 1, 0, 4, 2) \
  WAIT(MPI_Testsome, MPI_Test, 1, 0, 4, 3) \
  OWN(MPI_Request_free)
// clang-format on
