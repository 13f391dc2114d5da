/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT calls of 4 bytes in each of THREADS threads, each to a file of its own below FOLDER; prints nanoseconds per call:
 * elapsed, and processor time of the calling threads. usage: pwrite_loop FOLDER COUNT THREADS [irregular | large]
 * irregular: sizes up to 256 bytes at any offset; large: 1 MiB each, as checkpoints are written */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* folder;
static long count;
static int irregular, large;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void* run(void* argument) {
  static char data[1 << 20];
  char path[4096];
  snprintf(path, sizeof path, "%s/pwrite_loop.%ld", folder, (long)(intptr_t)argument);
  const int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, 1 << 20) != 0) exit(2);
  uint64_t state = 88172645463325252ull + (uint64_t)(intptr_t)argument;
  double* const cpu = malloc(sizeof *cpu);
  const double start = now(CLOCK_THREAD_CPUTIME_ID);
  for (long i = 0; i < count; ++i) {
    off_t offset = (i * 4) & 0xfffff;
    size_t size = 4;
    if (large) {
      offset = 0;
      size = 1 << 20;
    }
    if (irregular) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      offset = (off_t)(state >> 24 & 0xfffff);
      size = 1 + (state >> 8 & 0xff);
    }
    if (pwrite(fd, data, size, offset) != (ssize_t)size) exit(2);
  }
  *cpu = now(CLOCK_THREAD_CPUTIME_ID) - start;
  close(fd);
  unlink(path);
  return cpu;
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  folder = argv[1];
  count = atol(argv[2]);
  const int threads = atoi(argv[3]);
  irregular = argc > 4 && strcmp(argv[4], "irregular") == 0;
  large = argc > 4 && strcmp(argv[4], "large") == 0;
  pthread_t all[64];
  double cpu = 0;
  const double start = now(CLOCK_MONOTONIC);
  if (threads == 1) {
    double* const mine = run(NULL);
    cpu = *mine;
    free(mine);
  } else {
    for (long i = 0; i < threads; ++i) pthread_create(&all[i], NULL, run, (void*)(intptr_t)i);
    for (int i = 0; i < threads; ++i) {
      void* mine;
      pthread_join(all[i], &mine);
      cpu += *(double*)mine;
      free(mine);
    }
  }
  const double elapsed = now(CLOCK_MONOTONIC) - start;
  printf("%.1f %.1f\n", elapsed / (double)count, cpu / ((double)count * threads));
  return 0;
}
