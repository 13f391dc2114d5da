/* SPDX-License-Identifier: Apache-2.0 */
/** MPI-IO: one open file of all ranks or of one, read and written at offsets. */
#ifndef FATHOM_MPI_SHIM_FILES_H
#define FATHOM_MPI_SHIM_FILES_H

#include "table.h"

int shim_file_open(const char* path, int open_flags, int scope, void** file);
int shim_file_transfer(void* file, struct fathom_mpi_transfer* transfer);
int shim_file_sync(void* file);
int shim_file_close(void* file);

#endif
