/* SPDX-License-Identifier: Apache-2.0 */
/* PROCESSES processes that write BYTES every PAUSE_US for SECONDS, each to a file of its own, and one that only waits for them. The bytes
 * written by all are printed. usage: writers FOLDER PROCESSES SECONDS BYTES PAUSE_US [WAIT_SECONDS before writing] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const int processes = atoi(argv[2]);
  const double seconds = atof(argv[3]);
  const size_t bytes = (size_t)atol(argv[4]);
  volatile unsigned long* const written = mmap(NULL, sizeof *written * (size_t)processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char* const data = calloc(1, bytes);
  usleep((useconds_t)((argc > 6 ? atof(argv[6]) : 0) * 1e6));
  const double end = now() + seconds;
  for (int p = 0; p < processes; ++p) {
    if (fork() != 0) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/writer.%d", argv[1], (int)getpid());
    const int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0) _exit(2);
    while (now() < end) {
      if (pwrite(fd, data, bytes, 0) != (ssize_t)bytes) _exit(2);
      written[p] += bytes;
      usleep((useconds_t)atol(argv[5]));
    }
    exit(0);
  }
  unsigned long all = 0;
  int status, good = 1;
  while (wait(&status) > 0) good &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
  for (int p = 0; p < processes; ++p) all += written[p];
  printf("%lu\n", all);
  return good ? 0 : 1;
}
