/* SPDX-License-Identifier: Apache-2.0 */
/* Does I/O with one fault, or the same work without it. usage: faults FOLDER FAULT bad|good */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KIB = 1024, MIB = 1024 * 1024 };
static int rank, bad;
static const char* folder;
static char data[32 * MIB];

/* A file for all, or one of its own for each rank, or one of many. */
static int file(const char* kind, int number) {
  char path[4096];
  snprintf(path, sizeof path, kind[0] == 's' ? "%s/shared" : "%s/own.%d.%d", folder, rank, number);
  const int fd = open(path, O_CREAT | O_RDWR, 0600);
  if (fd < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return fd;
}

static void put(int fd, size_t bytes, off_t offset) {
  if (pwrite(fd, data, bytes, offset) != (ssize_t)bytes) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void get(int fd, size_t bytes, off_t offset) {
  if (pread(fd, data, bytes, offset) != (ssize_t)bytes) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void tiny_requests(void) {
  const int fd = file("own", 0);
  for (int i = 0; i < (bad ? 20000 : 2); ++i) put(fd, bad ? 100 : MIB, (off_t)i * (bad ? 100 : MIB));
  close(fd);
}

static void many_opens(void) {
  for (int i = 0; i < (bad ? 2000 : 1); ++i) {
    const int fd = file("own", i);
    put(fd, bad ? 8 * KIB : 4 * MIB, 0);
    close(fd);
  }
}

static void repeated_opens(void) {
  int fd = bad ? -1 : file("own", 0);
  for (int i = 0; i < 3000; ++i) {
    if (bad) fd = file("own", 0);
    put(fd, 8 * KIB, (off_t)(i % 400) * 8 * KIB);
    if (bad) close(fd);
  }
  if (!bad) close(fd);
}

static void rereads(void) {
  const int fd = file("own", 0);
  // Little is written and much is read, from memory, so that reading is a good part of what it does whatever the disk is doing: making the
  // file may take as long as thousands of reads.
  for (int i = 0; i < (bad ? 4 : 128); ++i) put(fd, 64 * KIB, (off_t)i * 64 * KIB);
  for (int i = 0; i < 128 * (bad ? 32 : 1); ++i) get(fd, 64 * KIB, (off_t)(i % (bad ? 4 : 128)) * 64 * KIB);
  close(fd);
}

static void sync_storm(void) {
  const int fd = file("own", 0);
  for (int i = 0; i < 64; ++i) {
    put(fd, 64 * KIB, (off_t)i * 64 * KIB);
    if (bad) fsync(fd);
  }
  fsync(fd);
  close(fd);
}

static void unaligned_requests(void) {
  const int fd = file("shared", 0);
  const size_t bytes = bad ? 10001 : 64 * KIB;
  for (int i = 0; i < 400; ++i) put(fd, bytes, (off_t)bytes * (2 * i + rank) + (bad ? 7 : 0));
  close(fd);
}

static void strided_writes(void) {
  char path[4096];
  MPI_File f;
  snprintf(path, sizeof path, "%s/shared", folder);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  if (bad)
    for (int i = 0; i < 500; ++i) MPI_File_write_at(f, (MPI_Offset)4096 * (2 * i + rank), data, 4096, MPI_CHAR, MPI_STATUS_IGNORE);
  else
    MPI_File_write_at_all(f, (MPI_Offset)2 * MIB * rank, data, 2 * MIB, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
}

static void rank_imbalance(void) {
  if (bad && rank != 0) return;
  const int fd = file("own", 0);
  for (int i = 0; i < 64; ++i) put(fd, MIB, (off_t)(i % 16) * MIB);
  close(fd);
}

static void shared_file_contention(void) {
  const int fd = file(bad ? "shared" : "own", 0);
  /* Calls that take long against what a scheduler does to ranks on few cores, and more of them than are needed: some will not meet. */
  for (int i = 0; i < 36; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    put(fd, sizeof data, (off_t)rank * (off_t)sizeof data);
  }
  close(fd);
}

static const struct {
  const char* name;
  void (*run)(void);
} faults[] = {{"tiny_requests", tiny_requests}, {"many_opens", many_opens}, {"repeated_opens", repeated_opens}, {"rereads", rereads},
              {"sync_storm", sync_storm}, {"unaligned_requests", unaligned_requests}, {"strided_writes", strided_writes},
              {"rank_imbalance", rank_imbalance}, {"shared_file_contention", shared_file_contention}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 4) return 2;
  folder = argv[1];
  bad = !strcmp(argv[3], "bad");
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
    if (!strcmp(faults[i].name, argv[2])) faults[i].run();
  MPI_Finalize();
  return 0;
}
