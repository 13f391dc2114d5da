// SPDX-License-Identifier: Apache-2.0
// What a program may do wrong or seldom: the tracer must not make it worse. Prints what came of each, for a run without the tracer to compare.
// usage: mpi_odd FILE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int errors = 0;
static void count_error(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++errors;
}

static int kind(int error) {
  int found = 0;
  MPI_Error_class(error, &found);
  return found;
}

static MPI_File shared;
static void* write_alone(void* from) {
  char data[512];
  const long number = (long)from;
  memset(data, 'a' + (int)number, sizeof data);
  for (int i = 0; i < 100; ++i) MPI_File_write_at(shared, (number * 100 + i) * 512, data, 512, MPI_BYTE, MPI_STATUS_IGNORE);
  return NULL;
}

// A program's own profiling: the call goes through it, and is recorded once.
static int passed = 0;
int MPI_File_sync(MPI_File file) {
  ++passed;
  return PMPI_File_sync(file);
}

int main(int argc, char** argv) {
  int provided, rank, flag = 1;
  char data[4096] = {0};
  MPI_File file;
  MPI_Errhandler counting;
  MPI_Request none = MPI_REQUEST_NULL, nones[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_create_errhandler(count_error, &counting);
  MPI_File_set_errhandler(file, counting);
  printf("%d: null type %d\n", rank, kind(MPI_File_write_at(file, 0, data, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE)));
  printf("%d: offset below zero %d\n", rank, kind(MPI_File_write_at(file, -5, data, 1, MPI_BYTE, MPI_STATUS_IGNORE)));
  printf("%d: count below zero %d\n", rank, kind(MPI_File_read(file, data, -1, MPI_BYTE, MPI_STATUS_IGNORE)));
  printf("%d: handler called %d times\n", rank, errors);
  printf("%d: no file %d\n", rank, kind(MPI_File_read_at(MPI_FILE_NULL, 0, data, 1, MPI_BYTE, MPI_STATUS_IGNORE)));
  printf("%d: nothing to wait for %d %d %d\n", rank, kind(MPI_Wait(&none, MPI_STATUS_IGNORE)), kind(MPI_Waitall(2, nones, MPI_STATUSES_IGNORE)),
         kind(MPI_Test(&none, &flag, MPI_STATUS_IGNORE)));

  // a view in which this process has no bytes at all
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_BYTE, &nothing);
  MPI_Type_commit(&nothing);
  const int viewed = kind(MPI_File_set_view(file, 0, MPI_BYTE, nothing, "native", MPI_INFO_NULL));
  const int written = viewed == MPI_SUCCESS ? kind(MPI_File_write_at_all(file, 0, data, 0, MPI_BYTE, MPI_STATUS_IGNORE)) : 0;
  printf("%d: empty view %d %d\n", rank, viewed, written);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_sync(file);
  printf("%d: passed %d\n", rank, passed);
  MPI_File_close(&file);

  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_t threads[4];
    MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared);
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, write_alone, (void*)i);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    MPI_File_close(&shared);
  }
  MPI_Type_free(&nothing);
  MPI_Errhandler_free(&counting);
  MPI_Finalize();
  return 5;
}
