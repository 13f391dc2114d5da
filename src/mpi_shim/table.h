/* SPDX-License-Identifier: Apache-2.0 */
/** What Fathom asks of MPI, as plain C: the program opens a library that holds this table and never sees mpi.h. */
#ifndef FATHOM_MPI_SHIM_TABLE_H
#define FATHOM_MPI_SHIM_TABLE_H

#include <stdint.h>

/** Any change below is a new number: the program refuses a library with another one. */
#define FATHOM_MPI_TABLE_VERSION 1
/** The one name that the library exports: const struct fathom_mpi_table fathom_mpi_table. */
#define FATHOM_MPI_TABLE_NAME "fathom_mpi_table"

/** MPI counts with int: longer messages and transfers go in pieces of this size. */
#define FATHOM_MPI_PIECE (UINT64_C(1) << 30)

enum fathom_mpi_open { FATHOM_MPI_READ = 1, FATHOM_MPI_WRITE = 2, FATHOM_MPI_CREATE = 4 };

/** Who opens a file: all ranks together, or each its own. */
enum fathom_mpi_scope { FATHOM_MPI_WORLD = 0, FATHOM_MPI_SELF = 1 };

/** One transfer between memory and file: at an offset in bytes, by this rank alone or by all that opened the file. */
struct fathom_mpi_transfer {
  int writes;     /* 1: memory to file, 0: file to memory */
  int collective; /* 1: every rank that opened the file calls; then bytes <= FATHOM_MPI_PIECE */
  uint64_t offset;
  uint64_t bytes;
  void* memory;
  uint64_t done; /* out: what was transferred; less than bytes at the end of the file */
};

/** Functions return 0, or an error code that error_text puts into words. All but the file transfers are collective. */
struct fathom_mpi_table {
  uint32_t version;
  uint32_t table_bytes;

  int (*init)(void);
  int (*finalize)(void);
  void (*abort)(int exit_code);
  void (*error_text)(int code, char* text, int capacity);
  /** Name and version of the MPI library. Needs no init. */
  void (*library)(char* text, int capacity);

  int (*rank)(int* rank);
  int (*size)(int* size);

  int (*barrier)(void);
  int (*broadcast)(void* memory, uint64_t bytes, int root);
  /** Everybody learns everybody's number: lengths has room for one per rank. */
  int (*all_lengths)(uint64_t mine, uint64_t* lengths);
  /** lengths as all_lengths gave them; parts[i] has room for lengths[i] bytes and is used on rank 0 only. */
  int (*gather)(const void* mine, const uint64_t* lengths, void* const* parts);
  /** The same on every rank. parts[own rank] may be mine itself. */
  int (*all_gather)(const void* mine, const uint64_t* lengths, void* const* parts);
  int (*sum)(uint64_t* numbers, uint64_t count);
  int (*maximum)(double* number);

  int (*file_open)(const char* path, int open_flags, int scope, void** file);
  int (*file_transfer)(void* file, struct fathom_mpi_transfer* transfer);
  int (*file_sync)(void* file);
  int (*file_close)(void* file);
};

#endif
