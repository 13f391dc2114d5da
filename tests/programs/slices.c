/* SPDX-License-Identifier: Apache-2.0 */
/* Known amounts of I/O, for counting into time slices. usage: slices FOLDER WAY NUMBERS...
 *   steady COUNT BYTES PAUSE_US  COUNT writes of BYTES with a pause after each, then a read of all of it
 *   long BYTES                   one write
 *   fork                         the parent writes 10 x 1000 bytes, its child 7 x 500
 *   threads N                    N threads that live at the same time write 3 x 10 bytes each
 *   forever BYTES                writes until somebody kills it; a file "count" has the number of writes that returned */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* folder;
static pthread_barrier_t together;

static int file(const char* name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int fd = open(path, flags, 0600);
  if (fd < 0) {
    perror(path);
    exit(2);
  }
  return fd;
}

static void must(int works) {
  if (!works) {
    perror("slices");
    exit(2);
  }
}

static void* one_of_many(void* argument) {
  char name[40];
  snprintf(name, sizeof name, "thread.%ld", (long)(intptr_t)argument);
  pthread_barrier_wait(&together);
  const int fd = file(name, O_CREAT | O_WRONLY | O_TRUNC);
  for (int i = 0; i < 3; ++i) must(write(fd, "0123456789", 10) == 10);
  pthread_barrier_wait(&together);
  close(fd);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  folder = argv[1];
  const char* const way = argv[2];
  const long n = argc > 3 ? atol(argv[3]) : 0, bytes = argc > 4 ? atol(argv[4]) : 0, pause_us = argc > 5 ? atol(argv[5]) : 0;
  if (!strcmp(way, "steady")) {
    char* const data = calloc(1, (size_t)bytes);
    const int fd = file("steady", O_CREAT | O_RDWR | O_TRUNC);
    for (long i = 0; i < n; ++i) {
      must(write(fd, data, (size_t)bytes) == bytes);
      usleep((useconds_t)pause_us);
    }
    must(lseek(fd, 0, SEEK_SET) == 0);
    for (long i = 0; i < n; ++i) must(read(fd, data, (size_t)bytes) == bytes);
    close(fd);
  } else if (!strcmp(way, "long")) {
    char* const data = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int fd = file("long", O_CREAT | O_WRONLY | O_TRUNC);
    must(data != MAP_FAILED && write(fd, data, (size_t)n) == n);
    close(fd);
  } else if (!strcmp(way, "fork")) {
    char data[1000] = {0};
    const int fd = file("fork", O_CREAT | O_WRONLY | O_TRUNC);
    for (int i = 0; i < 10; ++i) must(write(fd, data, 1000) == 1000);
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 7; ++i) must(write(fd, data, 500) == 500);
      exit(0);
    }
    must(waitpid(child, NULL, 0) == child);
  } else if (!strcmp(way, "threads")) {
    pthread_t* const threads = calloc((size_t)n, sizeof *threads);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_barrier_init(&together, NULL, (unsigned)n);
    for (long i = 0; i < n; ++i) must(pthread_create(&threads[i], &small, one_of_many, (void*)(intptr_t)i) == 0);
    for (long i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  } else if (!strcmp(way, "forever")) {
    char* const data = calloc(1, (size_t)n);
    const int fd = file("forever", O_CREAT | O_WRONLY | O_TRUNC), counter = file("count", O_CREAT | O_RDWR | O_TRUNC);
    must(ftruncate(counter, sizeof(uint64_t)) == 0);
    volatile uint64_t* const made = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, counter, 0);
    for (;;) {
      must(pwrite(fd, data, (size_t)n, 0) == n);
      ++*made;
    }
  }
  return 0;
}
