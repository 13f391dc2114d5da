// SPDX-License-Identifier: Apache-2.0
/// Symbols of PnetCDF that lead to traced calls: some 900 that differ in how data are laid out in file and memory, put together here.
#pragma once

// A table, a line each:
// clang-format off
#define FATHOM_PNETCDF_TYPES(EACH, name, call) \
  EACH(name##_text, call) EACH(name##_schar, call) EACH(name##_uchar, call) EACH(name##_short, call) EACH(name##_ushort, call) \
  EACH(name##_int, call) EACH(name##_uint, call) EACH(name##_long, call) EACH(name##_float, call) EACH(name##_double, call) \
  EACH(name##_longlong, call) EACH(name##_ulonglong, call)

#define FATHOM_PNETCDF_ALL_TYPES(EACH, name, call) \
  EACH(name##_text_all, call) EACH(name##_schar_all, call) EACH(name##_uchar_all, call) EACH(name##_short_all, call) \
  EACH(name##_ushort_all, call) EACH(name##_int_all, call) EACH(name##_uint_all, call) EACH(name##_long_all, call) \
  EACH(name##_float_all, call) EACH(name##_double_all, call) EACH(name##_longlong_all, call) EACH(name##_ulonglong_all, call)

#define FATHOM_PNETCDF_LATER(EACH, name, call) EACH(name, call) FATHOM_PNETCDF_TYPES(EACH, name, call)
#define FATHOM_PNETCDF_NOW(EACH, name, call) \
  FATHOM_PNETCDF_LATER(EACH, name, call) EACH(name##_all, call) FATHOM_PNETCDF_ALL_TYPES(EACH, name, call)

/// One value, a whole variable, a part of it, with strides, with a map of memory.
#define FATHOM_PNETCDF_SHAPES(FORM, EACH, stem, call) \
  FORM(EACH, stem##_var, call) FORM(EACH, stem##_var1, call) FORM(EACH, stem##_vara, call) FORM(EACH, stem##_vars, call) FORM(EACH, stem##_varm, call)

/// EACH(symbol, call): its first argument is an open file. OPEN(symbol, call, creates): communicator, path, mode, hints, where the file goes.
#define FATHOM_PNETCDF_SYMBOLS(OPEN, EACH, SHUT) \
  OPEN(ncmpi_create, ncmpi_create, true) OPEN(ncmpi_open, ncmpi_open, false) SHUT(ncmpi_close, ncmpi_close) \
  EACH(ncmpi_enddef, ncmpi_enddef) EACH(ncmpi__enddef, ncmpi_enddef) EACH(ncmpi_sync, ncmpi_sync) EACH(ncmpi_flush, ncmpi_sync) \
  EACH(ncmpi_wait, ncmpi_wait) EACH(ncmpi_wait_all, ncmpi_wait) \
  FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_NOW, EACH, ncmpi_put, ncmpi_put) FATHOM_PNETCDF_NOW(EACH, ncmpi_put_varn, ncmpi_put) \
  EACH(ncmpi_put_vard, ncmpi_put) EACH(ncmpi_put_vard_all, ncmpi_put) FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_NOW, EACH, ncmpi_mput, ncmpi_put) \
  FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_NOW, EACH, ncmpi_get, ncmpi_get) FATHOM_PNETCDF_NOW(EACH, ncmpi_get_varn, ncmpi_get) \
  EACH(ncmpi_get_vard, ncmpi_get) EACH(ncmpi_get_vard_all, ncmpi_get) FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_NOW, EACH, ncmpi_mget, ncmpi_get) \
  FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_LATER, EACH, ncmpi_iput, ncmpi_iput) FATHOM_PNETCDF_LATER(EACH, ncmpi_iput_varn, ncmpi_iput) \
  FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_LATER, EACH, ncmpi_bput, ncmpi_iput) FATHOM_PNETCDF_LATER(EACH, ncmpi_bput_varn, ncmpi_iput) \
  FATHOM_PNETCDF_SHAPES(FATHOM_PNETCDF_LATER, EACH, ncmpi_iget, ncmpi_iget) FATHOM_PNETCDF_LATER(EACH, ncmpi_iget_varn, ncmpi_iget)
// clang-format on
