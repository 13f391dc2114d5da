// SPDX-License-Identifier: Apache-2.0
/// The PnetCDF calls that are traced, if the program has them.
#pragma once

// A table, a line each:
// clang-format off
/// CALL(name, operation, what people should know)
#define FATHOM_PNETCDF_CALLS(CALL) \
  CALL(ncmpi_create, open, "") \
  CALL(ncmpi_open, open, "") \
  CALL(ncmpi_close, close, "") \
  CALL(ncmpi_enddef, sync, "") \
  CALL(ncmpi_sync, sync, "") \
  CALL(ncmpi_put, write, "every ncmpi_put_var* and ncmpi_mput_var*: bytes as PnetCDF counts them; attributes are not traced") \
  CALL(ncmpi_get, read, "every ncmpi_get_var* and ncmpi_mget_var*") \
  CALL(ncmpi_iput, submit, "every ncmpi_iput_* and ncmpi_bput_*") \
  CALL(ncmpi_iget, submit, "every ncmpi_iget_*") \
  CALL(ncmpi_wait, wait, "ncmpi_wait, ncmpi_wait_all: bytes of what it completed")
// clang-format on
