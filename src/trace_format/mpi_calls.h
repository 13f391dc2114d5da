// SPDX-License-Identifier: Apache-2.0
/// The MPI-IO calls that are traced; `_c` names (large counts) stand under the name without it.
#pragma once

// A table, a line each:
// clang-format off
/// CALL(name, operation, what people should know)
#define FATHOM_MPI_CALLS(CALL) \
  CALL(MPI_Init, control, "MPI_Init and MPI_Init_thread, until the barrier after which each rank takes its zero") \
  CALL(MPI_Finalize, control, "") \
  CALL(MPI_File_open, open, "the hints in force afterwards are kept with the file") \
  CALL(MPI_File_close, close, "") \
  CALL(MPI_File_delete, remove, "") \
  CALL(MPI_File_set_size, resize, "offset: the new size") \
  CALL(MPI_File_preallocate, resize, "offset: the size asked for") \
  CALL(MPI_File_get_size, stat, "") \
  CALL(MPI_File_set_view, view, "offset: the displacement; bytes: the size of the file type") \
  CALL(MPI_File_get_view, view, "") \
  CALL(MPI_File_set_info, hints, "") \
  CALL(MPI_File_get_info, hints, "") \
  CALL(MPI_File_get_group, control, "") \
  CALL(MPI_File_get_amode, control, "") \
  CALL(MPI_File_read_at, read, "") \
  CALL(MPI_File_read_at_all, read, "") \
  CALL(MPI_File_read, read, "") \
  CALL(MPI_File_read_all, read, "") \
  CALL(MPI_File_read_shared, read, "offset unknown: other processes move the pointer") \
  CALL(MPI_File_read_ordered, read, "") \
  CALL(MPI_File_iread_at, read, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iread_at_all, read, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iread, read, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iread_all, read, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iread_shared, read, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_read_at_all_begin, read, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_read_at_all_end, wait, "") \
  CALL(MPI_File_read_all_begin, read, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_read_all_end, wait, "") \
  CALL(MPI_File_read_ordered_begin, read, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_read_ordered_end, wait, "") \
  CALL(MPI_File_write_at, write, "") \
  CALL(MPI_File_write_at_all, write, "") \
  CALL(MPI_File_write, write, "") \
  CALL(MPI_File_write_all, write, "") \
  CALL(MPI_File_write_shared, write, "offset unknown: other processes move the pointer") \
  CALL(MPI_File_write_ordered, write, "") \
  CALL(MPI_File_iwrite_at, write, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iwrite_at_all, write, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iwrite, write, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iwrite_all, write, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_iwrite_shared, write, "until it returns, result: the bytes asked; the wait that completes it is a call of its own and says what was moved") \
  CALL(MPI_File_write_at_all_begin, write, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_write_at_all_end, wait, "") \
  CALL(MPI_File_write_all_begin, write, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_write_all_end, wait, "") \
  CALL(MPI_File_write_ordered_begin, write, "until it returns, result: the bytes asked; _end completes it and says what was moved") \
  CALL(MPI_File_write_ordered_end, wait, "") \
  CALL(MPI_File_seek, seek, "offset: as asked; result: the byte where it is now") \
  CALL(MPI_File_get_position, seek, "") \
  CALL(MPI_File_get_byte_offset, seek, "") \
  CALL(MPI_File_seek_shared, seek, "") \
  CALL(MPI_File_get_position_shared, seek, "") \
  CALL(MPI_File_set_atomicity, control, "") \
  CALL(MPI_File_get_atomicity, control, "") \
  CALL(MPI_File_get_type_extent, control, "") \
  CALL(MPI_File_sync, sync, "") \
  CALL(MPI_Wait, wait, "only where it completes a non-blocking file operation: MPI_Wait, Waitall, Waitany, Waitsome; of several requests each is told inside") \
  CALL(MPI_Test, wait, "only where it completes one, or the library worked on one meanwhile (bytes 0): MPI_Test, Testall, Testany, Testsome")
// clang-format on
