/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>

#include "files.h"
#include "messages.h"
#include "table.h"

static int init(void) {
  int given = 0;
  /* The program has threads, but only its first one comes here. */
  int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  return code;
}

static int finalize(void) { return MPI_Finalize(); }

static void abort_all(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

static void error_text(int code, char* text, int capacity) {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, words, &length) != MPI_SUCCESS) snprintf(words, sizeof words, "MPI error %d", code);
  snprintf(text, (size_t)capacity, "%s", words);
}

static void library(char* text, int capacity) {
  char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(words, &length);
  snprintf(text, (size_t)capacity, "%s", words);
}

static int rank(int* mine) { return MPI_Comm_rank(MPI_COMM_WORLD, mine); }
static int size(int* ranks) { return MPI_Comm_size(MPI_COMM_WORLD, ranks); }
static int barrier(void) { return MPI_Barrier(MPI_COMM_WORLD); }

extern const struct fathom_mpi_table fathom_mpi_table;
__attribute__((visibility("default"))) const struct fathom_mpi_table fathom_mpi_table = {
    .version = FATHOM_MPI_TABLE_VERSION,
    .table_bytes = sizeof(struct fathom_mpi_table),
    .init = init,
    .finalize = finalize,
    .abort = abort_all,
    .error_text = error_text,
    .library = library,
    .rank = rank,
    .size = size,
    .barrier = barrier,
    .broadcast = shim_broadcast,
    .all_lengths = shim_all_lengths,
    .gather = shim_gather,
    .all_gather = shim_all_gather,
    .sum = shim_sum,
    .maximum = shim_maximum,
    .file_open = shim_file_open,
    .file_transfer = shim_file_transfer,
    .file_sync = shim_file_sync,
    .file_close = shim_file_close,
};
