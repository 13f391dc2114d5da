// SPDX-License-Identifier: Apache-2.0
/// Every symbol of the C library that is wrapped, as one list: for --wrap, for the symbol check, for finding the real ones in a static
/// program.
#pragma once

#include "trace_format/aio_symbols.h"
#include "trace_format/mpi_symbols.h"
#include "trace_format/posix_symbols.h"
#include "trace_format/stdio_symbols.h"

/// NAME(symbol) for each.
#define FATHOM_NAME_OF_SYMBOL(name, type, parameters, arguments, shape) FATHOM_NAME(name)
#define FATHOM_NAME_OF_ALIAS(name, old) FATHOM_NAME(name)
#define FATHOM_NAME_OF_OWN(name) FATHOM_NAME(name)
#define FATHOM_WRAPPED_SYMBOLS                                                          \
  FATHOM_POSIX_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN) \
  FATHOM_STDIO_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN) \
  FATHOM_AIO_SYMBOLS(FATHOM_NAME_OF_SYMBOL, FATHOM_NAME_OF_ALIAS, FATHOM_NAME_OF_OWN)

/// Calls of MPI: there each has a second name with P in front, under which the real one is found, so nothing needs to be renamed.
#define FATHOM_NAME_OF_MPI(name, ...) FATHOM_NAME(name)
#define FATHOM_NAME_OF_MPI_LARGE(name, ...) FATHOM_NAME(name) FATHOM_NAME(name##_c)
#define FATHOM_MPI_NAMES \
  FATHOM_MPI_SYMBOLS(FATHOM_NAME_OF_MPI, FATHOM_NAME_OF_MPI_LARGE, FATHOM_NAME_OF_MPI, FATHOM_NAME_OF_MPI, FATHOM_NAME_OF_MPI)

/// What wrappers ask an MPI library.
// clang-format off
#define FATHOM_MPI_QUESTIONS \
  FATHOM_NAME(PMPI_Type_size_x) \
  FATHOM_NAME(PMPI_Type_get_extent_x) \
  FATHOM_NAME(PMPI_Get_elements_x) \
  FATHOM_NAME(PMPI_Error_class) \
  FATHOM_NAME(PMPI_Barrier) \
  FATHOM_NAME(PMPI_Comm_rank) \
  FATHOM_NAME(PMPI_Comm_size) \
  FATHOM_NAME(PMPI_Get_library_version) \
  FATHOM_NAME(PMPI_Info_get_nkeys) \
  FATHOM_NAME(PMPI_Info_get_nthkey) \
  FATHOM_NAME(PMPI_Info_get) \
  FATHOM_NAME(PMPI_Info_free) \
  FATHOM_NAME(PMPI_File_get_info) \
  FATHOM_NAME(PMPI_File_get_position) \
  FATHOM_NAME(PMPI_File_get_byte_offset)
// clang-format on

/// Not wrapped, but called by wrappers.
#define FATHOM_HELPING_SYMBOLS FATHOM_NAME(vfscanf) FATHOM_NAME(__isoc99_vfscanf) FATHOM_NAME(__vdprintf_chk)

/// Objects of Open MPI, by which it is known.
#define FATHOM_MPI_OBJECTS FATHOM_NAME(ompi_mpi_comm_world) FATHOM_NAME(ompi_mpi_byte) FATHOM_NAME(ompi_mpi_info_null)
